import type { Setting, SettingValue } from '../../api/settings.ts';
import { t } from '../../texts/administration.ts';
import type { PhoneReader } from '../../ui/phone-reader.ts';
import { typedNumber } from './typed-number.ts';

/** Value in the field of a setting: text as typed, or on and off. Null removes a secret. */
export type Typed = string | boolean | null;

/** Returns the value of the field before any input. */
export function typedOf(setting: Setting): Typed {
  const { type, value } = setting;
  if (type === 'boolean') return value === true;
  if (type === 'secret' || value === null) return '';
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/** The value to save; null brings the default back. Only for what has no problem. */
export function valueOf(setting: Setting, typed: Typed): SettingValue {
  if (typeof typed === 'boolean' || typed === null) return typed;
  const text = typed.trim();
  if (setting.type === 'list') return entriesOf(text);
  if (text === '') return null;
  return setting.type === 'number' ? typedNumber(text, setting.name) : text;
}

/** Returns true when saving the input would change anything. An empty secret field leaves the secret unchanged. */
export function isChange(setting: Setting, typed: Typed): boolean {
  if (setting.type === 'secret') return typed === null ? setting.is_set : typed !== '';
  const saved = typedOf(setting);
  // The same number written in another way is none.
  if (setting.type === 'number' && typeof typed === 'string') {
    const number = typedNumber(typed, setting.name);
    return number === null ? typed.trim() !== saved : number !== setting.value;
  }
  if (typeof typed === 'string' && typeof saved === 'string') return typed.trim() !== saved;
  return typed !== saved;
}

/** One sentence when what is typed cannot be a value; the gateway checks again and has the last word. */
export function problemOf(setting: Setting, typed: Typed, reader: PhoneReader | null): string | null {
  if (typeof typed !== 'string' || typed.trim() === '') return null;
  const text = typed.trim();
  switch (setting.type) {
    case 'number':
      return numberProblem(setting, text);
    case 'secret':
      return /^[!-~]{1,500}$/u.test(text) ? null : t.settings.rules.secret;
    case 'list':
      return entriesProblem(setting, entriesOf(text));
    case 'text':
      return textProblem(setting, text, reader);
    case 'boolean':
    case 'choice':
      return null;
  }
}

/** Returns a sentence for a value that only the gateway can reject. */
export function refusalOf(setting: Setting): string {
  switch (setting.format) {
    case 'phone_number':
      return t.settings.rules.phoneNumber;
    case 'country':
      return t.settings.rules.country;
    case 'time_zone':
      return t.settings.rules.timeZone;
    case 'web_address':
      return t.settings.rules.webAddress;
    case 'base_address':
      return t.settings.rules.baseAddress;
    case 'origin':
      return t.settings.rules.origin;
    case 'line':
    case 'file':
    case 'folder':
    case null:
      return setting.rule?.sentence ?? t.settings.rules.refused;
  }
}

/** Returns the entries of a list as typed, one for each line. */
export function entriesOf(text: string): string[] {
  return text.split(/[\s,]+/u).filter((entry) => entry !== '');
}

function numberProblem({ name, least, most }: Setting, text: string): string | null {
  const number = typedNumber(text, name);
  if (number !== null && number >= (least ?? 0) && number <= (most ?? Infinity)) return null;
  return least === null || most === null ? t.settings.rules.number : t.settings.rules.numberFrom(least, most);
}

function entriesProblem(setting: Setting, entries: readonly string[]): string | null {
  if (new Set(entries).size < entries.length) return t.settings.rules.twice;
  if (setting.format === 'origin' && !entries.every(isOrigin)) return t.settings.rules.origin;
  return ruleProblem(setting, entries);
}

function textProblem(setting: Setting, text: string, reader: PhoneReader | null): string | null {
  if (setting.most !== null && text.length > setting.most) return t.settings.rules.tooLong(setting.most);
  switch (setting.format) {
    case 'phone_number':
      return isNumber(text, reader) ? null : t.settings.rules.phoneNumber;
    case 'web_address':
      return webAddress(text) ? null : t.settings.rules.webAddress;
    case 'base_address':
      return baseProblem(text);
    default:
      return ruleProblem(setting, [text]);
  }
}

function ruleProblem({ rule }: Setting, texts: readonly string[]): string | null {
  if (rule === null) return null;
  const pattern = new RegExp(rule.pattern, 'u');
  return texts.every((text) => pattern.test(text)) ? null : rule.sentence;
}

function isNumber(text: string, reader: PhoneReader | null): boolean {
  return text.startsWith('+') && (reader === null || reader.toE164(text, '') !== null);
}

function webAddress(text: string): URL | null {
  const url = /\s/u.test(text) ? null : URL.parse(text);
  return url && ['http:', 'https:'].includes(url.protocol) ? url : null;
}

function isOrigin(text: string): boolean {
  return webAddress(text)?.origin === text;
}

/** Names without a dot and numeric addresses may be in the own network: those the gateway judges. */
function isNamedFar(host: string): boolean {
  const isNumeric = /^[\d.]+$|^\[/u.test(host);
  return host.includes('.') && !isNumeric && !/\.(local|lan|internal|home\.arpa|localhost)$/u.test(host);
}

function baseProblem(text: string): string | null {
  const url = webAddress(text);
  if (!url) return t.settings.rules.baseAddress;
  if (url.protocol === 'http:' && isNamedFar(url.hostname)) return t.settings.rules.https;
  return url.username || url.password || /[?#]/u.test(text) ? t.settings.rules.baseAddress : null;
}
