import { make } from "../dom.js";

/** `letter.txt` is saved as `letter.utf-8.txt`, so that it does not replace the original. */
export function savedName(name, encoding) {
  const label = encoding.toLowerCase();
  const clean = name.replace(/[\\/:*?"<>|,]+/g, "").trim() || "text";
  const dot = clean.lastIndexOf(".");
  return dot > 0 ? `${clean.slice(0, dot)}.${label}${clean.slice(dot)}` : `${clean}.${label}.txt`;
}

/**
 * Asks where to save, if the browser can write files.
 *
 * @returns a handle, `undefined` if the browser can only download, or `"dismissed"`.
 */
export async function fileToSaveTo(name, encoding) {
  if (!("showSaveFilePicker" in window)) {
    return undefined;
  }
  try {
    return await window.showSaveFilePicker({ suggestedName: savedName(name, encoding) });
  } catch (error) {
    if (error.name === "AbortError") {
      return "dismissed";
    }
    throw error;
  }
}

/** Downloads the blob, as clicking on a link does. */
export function offerDownload(blob, name, encoding) {
  const link = make("a", { href: URL.createObjectURL(blob), download: savedName(name, encoding) });
  link.click();
  // The browser reads the address some time after the click, and does not say when.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
