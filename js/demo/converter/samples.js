import { encode } from "simdtext";

const texts = {
  russian: "Пекарь вынес утренний хлеб.\nРека ещё спала под туманом, и мост казался длиннее.\n",
  japanese: "朝の市場には、焼きたてのパンの匂いがする。\n川の霧は、八時には消えるだろう。\n",
  simplified: "早上，面包店刚刚开门。\n河上的雾慢慢散去，船夫开始唱歌。\n",
  traditional: "早上，麵包店剛剛開門。\n河上的霧慢慢散去，船夫開始唱歌。\n",
  korean: "아침 시장에 갓 구운 빵 냄새가 난다.\n강 위의 안개는 여덟 시쯤 걷힐 것이다.\n",
  greek: "Το πρωί ο φούρναρης άνοιξε το μαγαζί.\nΗ ομίχλη πάνω από το ποτάμι έφυγε αργά.\n",
  polish: "Rano piekarz wyjął z pieca ciepły chleb.\nMgła nad rzeką zniknęła dopiero około ósmej.\n",
};

/** Shift_JIS with malformed bytes: a stray FF, and a lead byte without its trail byte. */
function damaged() {
  const bytes = [...encode(texts.japanese, "shift_jis")];
  const lineEnd = bytes.indexOf(0x0a);
  bytes.splice(lineEnd, 0, 0x83);
  bytes.splice(10, 0, 0xff);
  return Uint8Array.from(bytes);
}

/** UTF-16 as Windows writes it, with a byte order mark. */
const withMark = (text) => encode(`\u{FEFF}${text}`, "utf-16le");

export const samples = [
  { name: "Russian, KOI8-R", bytes: () => encode(texts.russian, "koi8-r") },
  { name: "Japanese, Shift_JIS", bytes: () => encode(texts.japanese, "shift_jis") },
  { name: "Japanese, ISO-2022-JP", bytes: () => encode(texts.japanese, "iso-2022-jp") },
  { name: "Chinese, GBK", bytes: () => encode(texts.simplified, "gbk") },
  { name: "Chinese, Big5", bytes: () => encode(texts.traditional, "big5") },
  { name: "Korean, EUC-KR", bytes: () => encode(texts.korean, "euc-kr") },
  { name: "Greek, UTF-16LE", bytes: () => withMark(texts.greek) },
  { name: "Polish, windows-1250", bytes: () => encode(texts.polish, "windows-1250") },
  { name: "Japanese, damaged", bytes: damaged },
];
