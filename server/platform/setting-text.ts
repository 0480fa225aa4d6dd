import type { AnyValue, SettingType } from './setting-kinds.ts';

const TRUE_WORDS = new Set(['true', '1', 'yes', 'on']);
const FALSE_WORDS = new Set(['false', '0', 'no', 'off']);

/** The value that a text stands for. One that does not read as the setting's type stays a text, and its schema refuses it. */
export function valueOfText({ type }: { type: SettingType }, text: string): AnyValue {
  switch (type) {
    case 'number':
      return /^-?\d+$/u.test(text) ? Number(text) : text;
    case 'boolean': {
      const word = text.toLowerCase();
      if (TRUE_WORDS.has(word)) return true;
      return FALSE_WORDS.has(word) ? false : text;
    }
    case 'list': {
      const entries = text.split(',').map((entry) => entry.trim());
      return entries.filter((entry) => entry !== '');
    }
    case 'text':
    case 'choice':
    case 'secret':
      return text;
    default:
      return type satisfies never;
  }
}
