/**
 * Prefix of `data.key` when the desktop application sealed it with the keychain of the operating system; the sealed key
 * follows in base64. Without the prefix the file contains the 32 bytes themselves in base64.
 */
export const SEALED_KEY_MARK = 'keychain:';
