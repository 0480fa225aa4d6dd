/** Why the sign-in page is shown in the middle of work. */
export interface SignInNote {
  readonly why: 'locked' | 'locked by hand' | 'ended';
  readonly name: string | null;
}

let note: SignInNote | null = null;

export const signInNote = {
  get: (): SignInNote | null => note,
  set(next: SignInNote | null): void {
    note = next;
  },
};
