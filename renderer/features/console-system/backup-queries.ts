import { queryOptions, useMutation } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Backup as BackupAnswer } from '../../../shared/api/console.ts';
import { client } from '../../api/client.ts';
import { openedAddress } from '../../api/page-token.ts';
import { queryClient, retryIntervalOf } from '../../api/queries.ts';

export type Backup = z.infer<typeof BackupAnswer>;

const POLL_EVERY_MS = 1_000;

/** The backups there are; looked at again and again while one is made. */
export const backupsQuery = queryOptions({
  queryKey: ['system', 'backups'],
  queryFn: ({ signal }) => client.console.backups({ signal }),
  staleTime: 0,
  refetchInterval: (query) => (isMaking(query.state.data?.items) ? POLL_EVERY_MS : retryIntervalOf(query)),
});

export function isMaking(items: readonly Backup[] | undefined): boolean {
  return items?.some(({ state }) => state === 'running') ?? false;
}

const refetchBackups = () => queryClient.invalidateQueries({ queryKey: ['system'] });

export function useMakeBackup() {
  return useMutation({ mutationFn: () => client.console.makeBackup(), onSettled: refetchBackups });
}

export function useRemoveBackup(name: string) {
  return useMutation({
    mutationFn: () => client.console.removeBackup({ params: { name } }),
    onSettled: refetchBackups,
  });
}

/** The gateway stops after its answer, and starts again. `identity` opens an encrypted one; empty for none. */
export function useRestoreBackup(name: string, identity: string) {
  const body = identity === '' ? {} : { identity };
  return useMutation({ mutationFn: () => client.console.restoreBackup({ params: { name }, body }) });
}

/** The browser saves it by itself, with the cookie of this session. */
export function backupAddress(name: string): string {
  return openedAddress(`/console/backups/${encodeURIComponent(name)}/file`);
}
