import { client } from '../api/client.ts';
import { forgetPageToken } from '../api/page-token.ts';
import { forgetPerson } from '../api/person-memory.ts';
import { markSignedOut, meQuery, queryClient } from '../api/queries.ts';
import { sendSignOut } from '../api/sign-out.ts';
import { closeDrafts, forgetDraft } from '../features/outbound-send/draft/draft-store.ts';
import { pausePreviews } from '../parts/previews/preview-store.ts';
import { dismissPassword, dismissPasswordOfOthers } from '../parts/sign-in/shown-password.ts';
import { silence } from '../ui/live-region.tsx';
import { forgetScreenPlaces } from './screen-places.ts';
import { type LeftPerson, passwordJustTyped, signInNote } from './sign-in-note.ts';

/** Id of the person whose session ended last; null before. */
let lastPersonId: string | null = null;

/** Reads again who is signed in, and everything that belongs to that person. */
export async function readSession(): Promise<void> {
  markSignedOut(false);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
  const me = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 });
  if (me && me.principal.id !== lastPersonId) forgetPerson();
  if (me?.password_change_required !== true) passwordJustTyped.set(null);
  if (me) signInNote.set(null);
  if (me) dismissPasswordOfOthers(me.principal.id);
}

/** Nobody is signed in on this page any more: what was shown is forgotten, drafts stay. */
function forgetSession(): void {
  forgetScreenPlaces();
  silence();
  // An answer on its way would sign the page in again.
  void queryClient.cancelQueries();
  pausePreviews();
  lastPersonId = signedInPerson()?.id ?? lastPersonId;
  passwordJustTyped.set(null);
  queryClient.setQueryData(meQuery.queryKey, null);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
}

/** Ends the session here and at the gateway. What is on the screen goes at once, also when the gateway is away. */
export async function endSession(
  why: 'signed out' | 'switched' | 'locked' | 'locked by hand',
): Promise<void> {
  signInNote.set(why === 'signed out' ? null : { why, person: signedInPerson() });
  markSignedOut(true);
  const ending = sendSignOut((signal) => client.access.logout({ signal }));
  if (why === 'signed out' || why === 'switched') dismissPassword();
  // The request is sent by now; a person who signs in before its response gets another token.
  if (why === 'signed out') forgetPageToken();
  const person = signedInPerson();
  forgetSession();
  if (why === 'signed out' || why === 'switched') {
    forgetPerson();
    void window.faxdesk?.setPerson?.(null);
  }
  if (why === 'signed out') await (person && forgetDraft(person.id).catch(() => undefined));
  else await closeDrafts();
  await ending;
}

/** Handles the end of this session on the gateway: it expired, or was ended from another place. */
export function handleEndedSession(): void {
  signInNote.set({ why: 'ended', person: signedInPerson() });
  forgetSession();
  void closeDrafts();
}

function signedInPerson(): LeftPerson | null {
  const me = queryClient.getQueryData(meQuery.queryKey);
  if (!me) return null;
  const { id, display_name: name } = me.principal;
  return { id, name, login: me.login ?? null };
}
