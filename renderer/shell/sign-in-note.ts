/** Why the sign-in page is shown in the middle of work. */
export interface SignInNote {
  readonly why: 'locked' | 'locked by hand' | 'ended' | 'switched';
  /** Who was here. */
  readonly person: LeftPerson | null;
}

export interface LeftPerson {
  readonly id: string;
  readonly name: string;
  /** With what they sign in; null for who came with a key. */
  readonly login: string | null;
}

const KEY = 'faxdesk.sign-in-note';

/** Stays with this window, so that it asks the same person also when it is loaded again. */
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

/** The password that somebody just signed in with, so that one that was made for them is not typed again to be replaced. */
export const passwordJustTyped = {
  get: (): string | null => typed,
  set(password: string | null): void {
    typed = password;
  },
};

/** Who alone is asked for: of a window that was locked, or whose session ended, the person who was there. */
export function onlyPerson(note: SignInNote | null): LeftPerson | null {
  return note === null || note.why === 'switched' ? null : note.person;
}
