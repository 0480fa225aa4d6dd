import { useCallback, useEffect } from 'react';
import { NAMING_CONTACTS } from '../api/contacts.ts';
import { refetchBlocked } from '../api/inbound.ts';
import { type Change, openLive, useChanges } from '../api/live.ts';
import { refetchMyWork } from '../api/my-work.ts';
import { readAgain } from '../api/newest.ts';
import { presenceChanged } from '../api/presence.ts';
import { contextQuery, installationQuery, queryClient } from '../api/queries.ts';
import { readSoon } from '../api/read-soon.ts';
import { refetchOnReconnect } from '../api/refetch-on-reconnect.ts';
import { refetchItem } from '../api/work.ts';

/** Reads the data on the screen again when the gateway reports changes. Screens update their own lists in place. */
export function LiveUpdates() {
  useEffect(openLive, []);
  useEffect(refetchOnReconnect, []);
  const apply = useCallback((change: Change) => {
    if (change.isTest) offerTestFaxes();
    switch (change.kind) {
      case 'reset':
        readAgain(queryClient);
        return;
      case 'settings.changed':
        // The fax printer listens where the settings say.
        for (const name of ['settings', 'printer']) readAgain(queryClient, { queryKey: [name] });
        return;
      case 'installation.changed':
        // A setting decides what is unread; what works is in the others.
        for (const name of [
          'installation',
          'problems',
          'system',
          'context',
          'inbound',
          'inbox-list',
          'inbound-counts',
        ])
          readAgain(queryClient, { queryKey: [name] });
        return;
      case 'fax.changed':
        providerMayAnswerAgain();
        readAgain(queryClient, { queryKey: ['fax', change.id] });
        readSoon(['fax-counts']);
        readSoon(['fax-calendar']);
        return;
      case 'inbound.changed':
        providerMayAnswerAgain();
        readAgain(queryClient, { queryKey: ['inbound', change.id] });
        readSoon(['inbound-counts']);
        // A sender is listed with the number of its faxes in Junk.
        refetchBlocked();
        return;
      case 'broadcast.changed':
        for (const part of ['one', 'recipients']) readSoon(['broadcasts', part, change.id]);
        for (const part of ['list', 'later']) readSoon(['broadcasts', part]);
        return;
      case 'senders.changed':
        refetchBlocked();
        return;
      case 'work.changed':
        refetchItem(change.id);
        refetchMyWork();
        return;
      case 'printed.changed':
        readAgain(queryClient, { queryKey: ['printed'] });
        return;
      case 'presence.changed':
        presenceChanged();
        return;
      case 'contact.changed':
        // Its name stands wherever its number does.
        for (const name of NAMING_CONTACTS) readAgain(queryClient, { queryKey: [name] });
        return;
      case 'partner.changed':
        readAgain(queryClient, { queryKey: ['partners'] });
        return;
      case 'intake.changed':
        readAgain(queryClient, { queryKey: ['mail-deliveries'] });
        return;
      case 'printout.changed':
        readAgain(queryClient, { queryKey: ['printouts'] });
        return;
      case 'call.changed':
        // The list of calls subscribes to these changes itself.
        return;
    }
  }, []);
  useChanges(apply);
  return null;
}

/** With the first test fax the lists offer to show test faxes. */
function offerTestFaxes(): void {
  if (queryClient.getQueryData(contextQuery.queryKey)?.test_faxes !== true) readSoon(contextQuery.queryKey);
}

/** A provider comes back without an event of its own; a fax that goes on is the first sign of it. */
function providerMayAnswerAgain(): void {
  const { sending, receiving } = queryClient.getQueryData(installationQuery.queryKey) ?? {};
  if ([sending, receiving].some((line) => line?.state === 'unreachable'))
    readAgain(queryClient, { queryKey: installationQuery.queryKey });
}
