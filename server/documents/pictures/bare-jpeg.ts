const marker = 0xff;
const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
/** Sizes (baseline and progressive, Huffman), tables, restart interval; JFIF, and Adobe's word about the colors. */
const kept = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdd, 0xda, 0xe0, 0xee]);
/** Application data and comments: place, time, camera, small pictures. */
const isMetadata = (code: number): boolean =>
  (code >= 0xe1 && code <= 0xef && code !== 0xee) || code === 0xfe;

/**
 * Returns a JPEG with its pixels as they are and without anything else that the file says, such as where a photo was taken.
 * Null for a structure that other programs may not read.
 */
export function bareJpeg(file: Buffer): Buffer | null {
  if (file[0] !== marker || file[1] !== startOfImage) return null;
  const parts = [file.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= file.length) {
    const code = file[at + 1]!;
    if (file[at] !== marker) return null;
    // Fill bytes.
    if (code === marker) at += 1;
    else if (code === endOfImage) return Buffer.concat([...parts, file.subarray(at, at + 2)]);
    else {
      const end = at + 2 + file.readUInt16BE(at + 2);
      const dataEnd = code === startOfScan ? endOfScan(file, end) : end;
      if (kept.has(code)) parts.push(file.subarray(at, dataEnd));
      else if (!isMetadata(code)) return null;
      at = dataEnd;
    }
  }
  const isEnd = file[at] === marker && file[at + 1] === endOfImage;
  return isEnd ? Buffer.concat([...parts, file.subarray(at, at + 2)]) : null;
}

/** Returns the position of the marker after the data of a scan; stuffed bytes and restart markers belong to the data. */
function endOfScan(file: Buffer, from: number): number {
  for (
    let at = file.indexOf(marker, from);
    at !== -1 && at + 1 < file.length;
    at = file.indexOf(marker, at + 1)
  ) {
    const code = file[at + 1]!;
    if (code !== 0 && code !== marker && (code < 0xd0 || code > 0xd7)) return at;
  }
  return file.length;
}
