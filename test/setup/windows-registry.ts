/** Words of `reg query` by which the application reads that several people work at a computer. */
export const PRODUCT = String.raw`HKLM\SYSTEM\CurrentControlSet\Control\ProductOptions /v ProductSuite`;
export const SESSIONS = String.raw`HKLM\SYSTEM\CurrentControlSet\Control\Terminal Server`;
export const EDITION = String.raw`HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion /v EditionID`;

/** Returns the values as `reg query` prints them, by its words. */
export function printed(words: string, ...values: readonly string[]): Record<string, string> {
  const key = words.replace(/^HKLM/u, 'HKEY_LOCAL_MACHINE').replace(/ \/v .*$/u, '');
  const below = words.includes(' /v ') ? [] : [`${key}\\Below`, ''];
  return { [words]: ['', key, ...values.map((value) => `    ${value}`), '', ...below].join('\r\n') };
}

/** Windows Server with the role of a host of remote desktop sessions. */
export const SESSION_HOST: Readonly<Record<string, string>> = {
  ...printed(PRODUCT, 'ProductSuite    REG_MULTI_SZ    Terminal Server'),
  ...printed(SESSIONS, 'TSAppCompat    REG_DWORD    0x1', 'TSUserEnabled    REG_DWORD    0x0'),
  ...printed(EDITION, 'EditionID    REG_SZ    ServerStandard'),
};
