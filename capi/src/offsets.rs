//! Positions in decoded text, mapped to the bytes that it was decoded from, and back.

use std::ffi::{c_char, c_void};
use std::ptr::{self, NonNull};

use simdtext::offsets::{DEFAULT_SPACING, OffsetMap, OffsetMapError};
use simdtext::{Bom, Decoder};

use crate::allocator::{Allocator, simdtext_allocator};
use crate::boundary::{buffers, call, call_with_result, exclusive, input, place, shared};
use crate::encoding::{encoding_of, handle, simdtext_encoding};
use crate::types::simdtext_status::{
    SIMDTEXT_STATUS_CORRUPT, SIMDTEXT_STATUS_INVALID_ARGUMENT, SIMDTEXT_STATUS_OK,
    SIMDTEXT_STATUS_OUT_OF_MEMORY, SIMDTEXT_STATUS_VERSION,
};
use crate::types::{simdtext_bom_number, simdtext_result, simdtext_status};

/// A document that is decoded piece by piece, and a map between positions in its text and in its bytes, the source.
/// Positions are in bytes from the start: of the text in UTF-8, and of the source, in which a byte order mark counts.
///
/// The map remembers a place every `spacing` bytes of the source, in memory from malloc, and nothing in between: a
/// look-up decodes up to that many bytes again, and needs the whole source. It can't tell that the source has changed
/// since; then positions are wrong.
///
/// For one thread at a time; but look-ups, which do not change it, may be made by several.
pub struct simdtext_offset_map {
    decoder: Decoder,
    map: OffsetMap,
}

/// A part of a text or of its source, in bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct simdtext_range {
    /// The offset of its first byte.
    pub start: u64,
    /// The offset of what follows it.
    pub end: u64,
}

/// Begins a document in `encoding`. `spacing` is 0 for 65536; less than 16 counts as 16. Null if an argument is invalid
/// or there is no memory. Free it with simdtext_offset_map_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_offset_map_new(
    encoding: *const simdtext_encoding,
    bom: simdtext_bom_number,
    spacing: usize,
) -> *mut simdtext_offset_map {
    call(|| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        let spacing = if spacing == 0 {
            DEFAULT_SPACING
        } else {
            spacing
        };
        Allocator::MALLOC.boxed(simdtext_offset_map {
            decoder: encoding.decoder(bom.get()?),
            map: OffsetMap::with_spacing(spacing),
        })
    })
}

/// Frees a map. Does nothing if it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_offset_map_free(map: *mut simdtext_offset_map) {
    call(|| {
        if let Some(map) = NonNull::new(map) {
            // SAFETY: that is where it came from, and the caller does not use it after this.
            unsafe { Allocator::MALLOC.unboxed(map) };
        }
        Ok(())
    });
}

/// Decodes the next bytes of the document as simdtext_decoder_decode_to_utf8 does with SIMDTEXT_MALFORMED_REPLACE. After
/// the end of a document the next call begins another one in the same encoding, and the map forgets the last one. If
/// there is no memory for the map, nothing is decoded and it is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_offset_map_decode_to_utf8(
    map: *mut simdtext_offset_map,
    src: *const c_void,
    len: usize,
    dst: *mut c_char,
    room: usize,
    last: bool,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let simdtext_offset_map { decoder, map } = unsafe { exclusive(map) }?;
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src.cast::<u8>(), len, dst.cast::<u8>(), room) }?;
        let reserved = map.try_reserve(decoder, len);
        reserved.map_err(|_| SIMDTEXT_STATUS_OUT_OF_MEMORY)?;
        let progress = map.decode_to_utf8_uninit(decoder, src, dst, last);
        result.add(progress, decoder.encoding());
        Ok(())
    })
}

/// The encoding of the document, which a byte order mark may have changed. Null if `map` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_offset_map_encoding(
    map: *const simdtext_offset_map,
) -> *const simdtext_encoding {
    // SAFETY: the caller's promise.
    call(|| Ok(handle(unsafe { shared(map) }?.decoder.encoding())))
}

/// Finds the bytes of `source` (`len` bytes, from the start of the document) that the characters of the text from
/// `start` to `end` were decoded from: from the first byte of the first character to the last byte of the last one,
/// without escape sequences before and after them. If `start` is `end`, this is where the character at `start` begins;
/// at the end of the text, the end of the source.
///
/// Refused, so that `range` is not changed, if the text has no such characters, or `source` is shorter than what was
/// decoded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_offset_map_source_range(
    map: *const simdtext_offset_map,
    source: *const c_void,
    len: usize,
    start: u64,
    end: u64,
    range: *mut simdtext_range,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let to = unsafe { place(range) }?;
        // SAFETY: the caller's promise.
        let map = &unsafe { shared(map) }?.map;
        // SAFETY: the caller's promise.
        let source = unsafe { input(source.cast::<u8>(), len) }?;
        let found = map.source_range(source, start..end);
        let found = found.ok_or(SIMDTEXT_STATUS_INVALID_ARGUMENT)?;
        to.write(simdtext_range {
            start: found.start,
            end: found.end,
        });
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// The offset in the text of what the byte at `offset` of `source` (`len` bytes, from the start of the document) became.
/// Bytes that become no text (a byte order mark, an escape sequence) map to the text of what follows, and the end of the
/// source to the end of the text. UINT64_MAX if `offset` is after what was decoded, if `source` is shorter than that, or
/// if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_offset_map_text_offset(
    map: *const simdtext_offset_map,
    source: *const c_void,
    len: usize,
    offset: u64,
) -> u64 {
    call(|| {
        // SAFETY: the caller's promise.
        let map = &unsafe { shared(map) }?.map;
        // SAFETY: the caller's promise.
        let source = unsafe { input(source.cast::<u8>(), len) }?;
        Ok(map.text_offset(source, offset).unwrap_or(u64::MAX))
    })
}

/// Forgets the document and begins another one, which may be in another encoding. The spacing and the memory are kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_offset_map_reset_to(
    map: *mut simdtext_offset_map,
    encoding: *const simdtext_encoding,
    bom: simdtext_bom_number,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let simdtext_offset_map { decoder, map } = unsafe { exclusive(map) }?;
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        decoder.reset_to(encoding, bom.get()?);
        map.clear();
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// Stores the map as bytes, to be kept with an index: some 5 for each place, and about 40 more. The format is the same on
/// all machines. `bytes` becomes a pointer to `len` bytes from the allocator, to be freed with simdtext_free; null and 0
/// if there is no memory. If the call is refused for another reason, they are not changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_offset_map_to_new_bytes(
    map: *const simdtext_offset_map,
    bytes: *mut *mut c_void,
    len: *mut usize,
    allocator: *const simdtext_allocator,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let map = &unsafe { shared(map) }?.map;
        // SAFETY: the caller's promise.
        let allocator = unsafe { Allocator::new(allocator) }?;
        // SAFETY: the caller's promise.
        let (bytes, len) = (unsafe { place(bytes) }?, unsafe { place(len) }?);
        let bytes = bytes.write(ptr::null_mut());
        let len = len.write(0);
        let stored = map.try_to_bytes();
        let stored = stored.map_err(|_| SIMDTEXT_STATUS_OUT_OF_MEMORY)?;
        *bytes = allocator.copy(&stored)?.cast();
        *len = stored.len();
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// Makes a map of the bytes that simdtext_offset_map_to_new_bytes gave, in memory from malloc. Free it with
/// simdtext_offset_map_free. Look-ups in it need the same source as before. The next call of
/// simdtext_offset_map_decode_to_utf8 begins another document in the same encoding, unless a byte order mark says
/// otherwise.
///
/// If it fails, `map` becomes null: SIMDTEXT_STATUS_CORRUPT if these are not the bytes of a map or are damaged,
/// SIMDTEXT_STATUS_VERSION if a version of the library with another format stored them, SIMDTEXT_STATUS_OUT_OF_MEMORY.
/// Not all damage can be noticed; a damaged map may give wrong positions, and no more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_offset_map_from_bytes(
    bytes: *const c_void,
    len: usize,
    map: *mut *mut simdtext_offset_map,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let to = unsafe { place(map) }?.write(ptr::null_mut());
        // SAFETY: the caller's promise.
        let bytes = unsafe { input(bytes.cast::<u8>(), len) }?;
        let map = OffsetMap::from_bytes(bytes).map_err(|error| match error {
            OffsetMapError::OutOfMemory => SIMDTEXT_STATUS_OUT_OF_MEMORY,
            OffsetMapError::Version(_) => SIMDTEXT_STATUS_VERSION,
            _ => SIMDTEXT_STATUS_CORRUPT,
        })?;
        *to = Allocator::MALLOC.boxed(simdtext_offset_map {
            decoder: map.encoding().decoder(Bom::Sniff),
            map,
        })?;
        Ok(SIMDTEXT_STATUS_OK)
    })
}
