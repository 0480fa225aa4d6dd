import { useMutation } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { refetchFax, storeFax } from '../../../api/outbound.ts';
import { isStatus, sentenceOf } from '../../../api/sentence.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/sent.ts';
import { announce } from '../../../ui/live-region.tsx';

export type CommandName = 'release' | 'cancel' | 'refresh';

const ANNOUNCEMENTS: Record<CommandName, string> = {
  release: t.sent.actions.released,
  cancel: t.sent.actions.cancelled,
  refresh: t.sent.actions.refreshed,
};

/**
 * Does something with the version of the fax that the person looked at. When it changed meanwhile nothing is done: the
 * sentence goes to `onStale` and the fax is read again. `failure` is any other refusal.
 */
export function useFaxCommand(fax: Fax, onStale: (sentence: string | null) => void) {
  const command = useMutation({
    mutationFn: (name: CommandName) => carryOut(name, fax),
    onMutate: () => onStale(null),
    onSuccess: (next, name) => {
      storeFax(next);
      announce(ANNOUNCEMENTS[name]);
    },
    onError: (error) => {
      if (!isStatus(error, 409)) return;
      onStale(sentenceOf(error));
      refetchFax(fax.id);
    },
  });
  return { ...command, failure: isStatus(command.error, 409) ? null : command.error };
}

function carryOut(name: CommandName, { id, delivery_version }: Fax): Promise<Fax> {
  const params = { id };
  const body = { delivery_version };
  switch (name) {
    case 'release':
      return client.outbound.releaseFax({ params, body });
    case 'cancel':
      return client.outbound.cancelFax({ params, body });
    case 'refresh':
      return client.outbound.refreshFax({ params });
  }
}
