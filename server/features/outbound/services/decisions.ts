import type { z } from 'zod';
import type { Reconciliation } from '../../../../shared/api/outbound-shapes.ts';
import type { Permission } from '../../../../shared/permissions.ts';
import type { SendWhen } from '../../../../shared/send-when.ts';
import { actorOf, type Caller } from '../../access/service.ts';
import type { Commands } from '../outcome/commands.ts';
import type { OutboundParts } from '../parts.ts';
import { storedSendAt } from '../queue/send-later.ts';
import { type DescribeRequest, describeFax } from '../record/describe.ts';
import type { FaxNotifier } from '../record/events.ts';
import { clearUnseen } from '../store/unseen-store.ts';
import type { Actor, FaxRecord } from '../types.ts';
import { isOwn } from '../visibility.ts';
import type { FaxFinder } from './find-fax.ts';

/** Carries out what people decide about faxes. Each function returns the updated fax. */
export interface DecisionService {
  release(caller: Caller, id: string, version: number): Promise<FaxRecord>;
  cancel(caller: Caller, id: string, version: number): Promise<FaxRecord>;
  /** Moves a scheduled fax to a time in any offset; null sends it now. */
  schedule(
    caller: Caller,
    id: string,
    move: {
      readonly delivery_version: number;
      readonly send_at: string | null;
      readonly send_by?: string | null | undefined;
      readonly send_when?: SendWhen | undefined;
    },
  ): Promise<FaxRecord>;
  /** Records that the caller has seen the failure of a fax; it counts for its sender only. */
  seen(caller: Caller, id: string): Promise<FaxRecord>;
  reconcile(caller: Caller, id: string, decision: z.infer<typeof Reconciliation>): Promise<FaxRecord>;
  refresh(caller: Caller, id: string): Promise<FaxRecord>;
  /** Changes subject, reference and document type. */
  describe(caller: Caller, id: string, request: DescribeRequest): Promise<FaxRecord>;
}

interface DecisionParts extends Pick<OutboundParts, 'db' | 'clock'> {
  readonly commands: Commands;
  readonly finder: FaxFinder;
  readonly notifier: FaxNotifier;
}

export function createDecisionService(parts: DecisionParts): DecisionService {
  const { db, commands, finder, notifier } = parts;
  /** Checks the permission, carries out a command and returns the updated fax. */
  const act = async (
    caller: Caller,
    permission: Permission,
    id: string,
    run: (actor: Actor) => Promise<void>,
  ): Promise<FaxRecord> => {
    await finder.find(caller, permission, id);
    await run(actorOf(caller));
    return finder.recordOf(caller, await finder.load(id));
  };
  return {
    release: (caller, id, version) =>
      act(caller, 'fax:send', id, (actor) => commands.release({ id, version, actor }, caller)),
    cancel: (caller, id, version) =>
      act(caller, 'fax:send', id, (actor) => commands.cancel({ id, version, actor })),
    schedule(caller, id, { delivery_version: version, send_at, send_by, send_when: sendWhen }) {
      const sendBy = send_by === undefined ? undefined : storedSendAt(send_by);
      const times = { sendAt: storedSendAt(send_at), sendBy, sendWhen };
      return act(caller, 'fax:send', id, (actor) => commands.schedule({ id, version, actor }, times));
    },
    async seen(caller, id) {
      const job = await finder.find(caller, 'fax:read', id);
      if (isOwn(caller, job))
        await db.transaction(async (tx) => {
          if (await clearUnseen(tx, job)) notifier.notifyVersion(tx, job);
        });
      return finder.recordOf(caller, job);
    },
    reconcile(caller, id, decision) {
      const version = decision.delivery_version;
      return act(caller, 'fax:reconcile', id, (actor) =>
        commands.reconcile({ id, version, actor }, decision),
      );
    },
    async describe(caller, id, request) {
      await finder.find(caller, 'fax:send', id);
      return finder.recordOf(caller, await describeFax(parts, id, request, actorOf(caller)));
    },
    refresh: (caller, id) => act(caller, 'fax:refresh', id, (actor) => commands.refresh(id, actor)),
  };
}
