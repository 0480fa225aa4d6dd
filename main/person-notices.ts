import type { DesktopNotice } from '../shared/desktop.ts';
import { notify } from './notifications.ts';

/** More are not to be seen at once. */
const MAX_CLOSED = 50;

interface PersonNoticesParts {
  /** Leads to what a notice is about. */
  readonly open: (path: string) => void;
  /** Another person is signed in, or nobody. */
  readonly onPerson: (person: string | null) => void;
}

/** Notices of pages. They belong to the person who is signed in there, and go when another person comes. */
export function createPersonNotices(parts: PersonNoticesParts): PersonNotices {
  return new PersonNotices(parts);
}

export type { PersonNotices };

class PersonNotices {
  readonly #parts: PersonNoticesParts;
  #person: string | null = null;
  #closing: (() => void)[] = [];

  constructor(parts: PersonNoticesParts) {
    this.#parts = parts;
  }

  /** A person who locked the page and comes back finds the notices as they were. */
  setPerson(person: string | null): void {
    if (person === this.#person) return;
    this.#person = person;
    for (const close of this.#closing.splice(0)) close();
    this.#parts.onPerson(person);
  }

  show({ title, body, open }: DesktopNotice): void {
    const person = this.#person;
    const close = notify({ title, body }, () => {
      // Some systems keep a notice that was closed in their list.
      if (person === this.#person) this.#parts.open(open);
    });
    this.#closing = [...this.#closing, close].slice(-MAX_CLOSED);
  }
}
