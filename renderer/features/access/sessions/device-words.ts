import { t } from '../../../texts/access.ts';

type Sign = readonly [pattern: RegExp, name: string];

/** Browsers name each other too, so the particular ones come first. */
const BROWSERS: readonly Sign[] = [
  [/\bElectron\//u, t.shell.product],
  [/\bEdg(?:e|A|iOS)?\//u, 'Edge'],
  [/\b(?:OPR|Opera)\//u, 'Opera'],
  [/\bSamsungBrowser\//u, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//u, 'Firefox'],
  [/(?:\bCriOS|Chrome|Chromium)\//u, 'Chrome'],
  [/\bVersion\/.*\bSafari\//u, 'Safari'],
];
const SYSTEMS: readonly Sign[] = [
  [/\biPhone\b/u, 'iPhone'],
  [/\biPad\b/u, 'iPad'],
  [/\bAndroid\b/u, 'Android'],
  [/\bWindows\b/u, 'Windows'],
  [/\bCrOS\b/u, 'ChromeOS'],
  [/\bMac ?OS\b|\bMacintosh\b/u, 'macOS'],
  [/\bLinux\b|\bX11\b/u, 'Linux'],
];

const nameOf = (signs: readonly Sign[], text: string) => signs.find(([pattern]) => pattern.test(text))?.[1];

/** Formats a user agent for people: `Chrome on Windows`. */
export function deviceWords(userAgent: string): string {
  const words = t.access.session;
  const browser = nameOf(BROWSERS, userAgent);
  const system = nameOf(SYSTEMS, userAgent);
  if (browser === undefined && userAgent !== '' && !userAgent.startsWith('Mozilla/')) return words.program;
  const shown = browser ?? words.unknownBrowser;
  return system === undefined ? shown : words.onSystem(shown, system);
}

/** Formats the address of a sign-in: `This computer` for the one the gateway runs on. */
export function addressWords(address: string): string {
  const words = t.access.session;
  if (address === '') return words.unknownAddress;
  const plain = address.replace(/^::ffff:/u, '');
  return plain === '::1' || plain.startsWith('127.') ? words.thisComputer : plain;
}
