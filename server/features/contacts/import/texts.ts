/** Values of one entry of a file as written; values that its file has no place for are left out. */
export interface ContactTexts {
  readonly name?: string;
  readonly organization?: string;
  /** The first one is the main one. */
  readonly fax_numbers?: readonly string[];
  readonly voice_number?: string;
  readonly address?: string;
  readonly tags?: readonly string[];
  /** Label or ID. */
  readonly mailbox?: string;
  /** Yes, no, or the time since when. */
  readonly opted_out?: string;
  readonly consent_note?: string;
  readonly time_zone?: string;
  readonly allowed_hours?: string;
  readonly cover_id?: string;
  readonly accepts_references?: string;
  readonly send_together_minutes?: string;
  /** Name or ID. */
  readonly preferred_route?: string;
  readonly encoded_pages?: string;
  readonly blocked?: string;
  readonly note?: string;
}

/** An entry of a file; `line` counts from 1 where it begins. */
export interface FileEntry {
  readonly line: number;
  readonly texts: ContactTexts;
}

/** An entry that cannot be read, with the reason as a sentence. */
export interface FileProblem {
  readonly line: number;
  readonly problem: string;
}

/** Separators of a list in one cell; a backslash before one of them is part of the text. */
const BEFORE_SIGN = /[\\,;]/gu;

/** Joins a list into one cell, as `splitList` reads it. */
export function joinList(items: readonly string[]): string {
  return items.map((item) => item.replaceAll(BEFORE_SIGN, String.raw`\$&`)).join('; ');
}

/** Splits a cell at semicolons and commas, and at the three colons of Google, without empty parts. */
export function splitList(text: string): string[] {
  const items: string[] = [];
  let item: string[] = [];
  const end = () => {
    const found = item.join('').trim();
    if (found !== '') items.push(found);
    item = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] as string;
    const next = text[at + 1];
    if (sign === '\\' && (next === '\\' || next === ',' || next === ';')) {
      item.push(next);
      at += 1;
    } else if (sign === ';' || sign === ',' || sign === '\n') end();
    else if (sign === ':' && text.startsWith(':::', at)) {
      end();
      at += 2;
    } else item.push(sign);
  }
  end();
  return items;
}
