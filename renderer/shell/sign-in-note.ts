/** Reason why the sign-in page interrupts the work. */
export interface SignInNote {
  readonly why: 'locked' | 'locked by hand' | 'ended' | 'switched';
  /** Person who was signed in. */
  readonly person: LeftPerson | null;
}

export interface LeftPerson {
  readonly id: string;
  readonly name: string;
  /** With what they sign in; null for who came with a key. */
  readonly login: string | null;
}

const KEY = 'faxdesk.sign-in-note';

/** Stays with this window, so that a reload shows the sign-in for the same person. */
export const signInNote = {
  get(): SignInNote | null {
    try {
      return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as SignInNote | null;
    } catch {
      return null;
    }
  },
  set(next: SignInNote | null): void {
    if (next === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(next));
  },
};

let typed: string | null = null;

/** Password of the sign-in a moment ago, so that a temporary one need not be typed again to be replaced. */
export const passwordJustTyped = {
  get: (): string | null => typed,
  set(password: string | null): void {
    typed = password;
  },
};

/**
 * Returns the only person the page lets in: in a locked window, or after the end of a session, the person who was
 * signed in. Null for anybody.
 */
export function onlyPerson(note: SignInNote | null): LeftPerson | null {
  return note === null || note.why === 'switched' ? null : note.person;
}
