import { queryOptions } from '@tanstack/react-query';
import { deskRoutes } from '../../shared/api/desk.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';
import { openedAddress } from './page-token.ts';

/** The things of the person who is signed in. */
export const { desk } = createRooms({ desk: deskRoutes }, origin);

export type SavedDraft = Awaited<ReturnType<typeof desk.listDrafts>>['items'][number];

/** Saved drafts, newest first. */
export const savedDraftsQuery = queryOptions({
  queryKey: ['desk', 'drafts'],
  // Another computer may have saved one.
  staleTime: 0,
  queryFn: async ({ signal }) => (await desk.listDrafts({ signal })).items,
});

export type DeskDefaults = Awaited<ReturnType<typeof desk.getDefaults>>;
export type Phrase = Awaited<ReturnType<typeof desk.createPhrase>>;

/** Values that new faxes begin with. */
export const defaultsQuery = queryOptions({
  queryKey: ['desk', 'defaults'],
  queryFn: ({ signal }) => desk.getDefaults({ signal }),
});

/** Phrases by title. */
export const phrasesQuery = queryOptions({
  queryKey: ['desk', 'phrases'],
  queryFn: async ({ signal }) => (await desk.listPhrases({ signal })).items,
});

export type Signature = Awaited<ReturnType<typeof desk.addSignature>>;

/** Signatures and stamps, oldest first. */
export const signaturesQuery = queryOptions({
  queryKey: ['desk', 'signatures'],
  queryFn: async ({ signal }) => (await desk.listSignatures({ signal })).items,
});

/** Address of the picture of a signature or stamp. */
export const signatureAddress = (id: string): string =>
  openedAddress(`/desk/signatures/${encodeURIComponent(id)}/picture`);
