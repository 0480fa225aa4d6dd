/** Why the sign-in page is shown in the middle of work. */
export interface SignInNote {
  readonly why: 'locked' | 'locked by hand' | 'ended' | 'switched';
  /** Who was here. */
  readonly person: { readonly id: string; readonly name: string } | null;
}

let note: SignInNote | null = null;

export const signInNote = {
  get: (): SignInNote | null => note,
  set(next: SignInNote | null): void {
    note = next;
  },
};

const KEY = 'faxdesk.login';

/** With what somebody signed in on this window, so that its lock asks only for their password. */
export const windowLogin = {
  /** Null when it was somebody else: windows of one browser share their session. */
  of(personId: string | undefined): string | null {
    const [id, login] = sessionStorage.getItem(KEY)?.split('\n') ?? [];
    return login !== undefined && id === personId ? login : null;
  },
  set: (personId: string, login: string): void => sessionStorage.setItem(KEY, `${personId}\n${login}`),
  forget: (): void => sessionStorage.removeItem(KEY),
};
