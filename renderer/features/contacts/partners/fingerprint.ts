/** Returns a fingerprint in groups of four, to be read out by phone. */
export const groupedFingerprint = (hex: string): string => hex.match(/.{1,4}/gu)?.join(' ') ?? hex;
