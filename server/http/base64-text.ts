import { unreadable } from './json-body.ts';

/** A unicode escape, the longest there is: `\u002f`. */
const MAX_ESCAPE_LENGTH = 6;
const GROUP = 4;

/** Decodes base64 that arrives in pieces as the inside of a JSON text, with the escapes that some writers put in. */
export function createBase64Text(): Base64Text {
  return new Base64Text();
}

class Base64Text {
  #escape = '';
  #group = '';

  /** Throws a 400 refusal for an escape that is none. */
  add(piece: Buffer): Buffer {
    const text = this.#escape + piece.toString('latin1');
    const whole = completeLength(text);
    this.#escape = text.slice(whole);
    return this.#decode(unescaped(text.slice(0, whole)));
  }

  /** Decodes the rest when the text has ended. */
  end(): Buffer {
    const rest = unescaped(this.#escape);
    this.#escape = '';
    const last = Buffer.from(this.#group + rest, 'base64');
    this.#group = '';
    return last;
  }

  #decode(text: string): Buffer {
    const signs = this.#group + (/\s/u.test(text) ? text.replaceAll(/\s/gu, '') : text);
    const end = signs.length - (signs.length % GROUP);
    this.#group = signs.slice(end);
    return Buffer.from(signs.slice(0, end), 'base64');
  }
}

/** Without an escape at the end whose rest has not come. */
function completeLength(text: string): number {
  const from = Math.max(0, text.length - MAX_ESCAPE_LENGTH + 1);
  const at = text.indexOf('\\', from);
  return at === -1 ? text.length : at;
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    throw unreadable('the text of the file has an escape that is none');
  }
}
