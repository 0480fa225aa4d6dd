import { queryOptions } from '@tanstack/react-query';
import { archivesRoutes } from '../../shared/api/archives.ts';
import { ARCHIVE_PIECE_BYTES } from '../../shared/api/archives-removal.ts';
import { signingRoutes } from '../../shared/api/signing.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';
import { queryClient, retryIntervalOf } from './queries.ts';

const { signing, ...rooms } = createRooms({ archives: archivesRoutes, signing: signingRoutes }, origin);
export const { archives } = rooms;

/** The signing keys of this installation, present and former. */
export const signingQuery = queryOptions({
  queryKey: ['signing', 'keys'],
  queryFn: ({ signal }) => signing.listSigningKeys({ signal }),
});

export type ArchiveRemoval = Awaited<ReturnType<typeof archives.getArchiveRemoval>>;

const POLL_EVERY_MS = 1_000;
const isUnderWay = ({ state }: ArchiveRemoval) => state === 'checking' || state === 'running';

/** The removals of archived faxes, newest first; read again and again while one goes on. */
export const removalsQuery = queryOptions({
  queryKey: ['archives', 'removals'],
  queryFn: ({ signal }) => archives.listArchiveRemovals({ signal }),
  staleTime: 0,
  refetchInterval: (query) =>
    query.state.data?.removals.some(isUnderWay) ? POLL_EVERY_MS : retryIntervalOf(query),
});

/** Reads the removals again. */
export async function removalsChanged(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['archives'] });
}

/** Hands an archive over piece by piece, and begins its check. `onProgress` gets the share that has arrived, 0 to 1. */
export async function checkArchive(
  file: File,
  span: { readonly year: number; readonly month?: number },
  onProgress: (share: number) => void,
): Promise<void> {
  const upload_id = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  for (let offset = 0; offset < file.size || offset === 0; offset += ARCHIVE_PIECE_BYTES) {
    const content = file.slice(offset, offset + ARCHIVE_PIECE_BYTES);
    await archives.addArchivePiece({
      params: { id: upload_id },
      query: { offset },
      fields: {},
      files: { piece: [{ name: 'piece', content }] },
    });
    onProgress(Math.min(1, (offset + ARCHIVE_PIECE_BYTES) / Math.max(1, file.size)));
  }
  await archives.createArchiveRemoval({ body: { upload_id, ...span } });
  await removalsChanged();
}
