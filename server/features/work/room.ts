import type { Caller } from '../access/service.ts';
import type { FiledHandler, WorkItems } from '../inbound/port.ts';
import type { AnswerListener } from '../outbound/port.ts';
import { type Change, defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { answersInHistory } from './answers.ts';
import { itemPerDocument } from './create-item.ts';
import { itemsAndJunk } from './junk.ts';
import type { WorkEvents, WorkParts } from './parts.ts';
import { workServedRoutes, workStatisticsServedRoutes } from './routes.ts';
import { createWorkService, type WorkService } from './service.ts';
import { WORK_SETTINGS, workSettings } from './settings.ts';
import { itemIdsOf } from './store/item-store.ts';
import { mayReceiveItemEvents } from './visibility.ts';

export type { WorkEvents } from './parts.ts';

interface WorkRoomParts extends Omit<WorkParts, 'settings'> {
  readonly settings: SettingsService;
}

export interface WorkRoom extends Room {
  readonly service: WorkService;
  /** Makes the item of a document in the transaction that files it. */
  readonly items: FiledHandler & WorkItems;
  /** Records answers to received faxes. */
  readonly answers: AnswerListener;
}

/** The room of the work queue: an owner for every received document. */
export function createWork(given: WorkRoomParts): WorkRoom {
  const { events } = given;
  const parts = { ...given, logger: given.logger.room('work'), settings: workSettings(given.settings) };
  const service = createWorkService(parts);
  const room = defineRoom({
    name: 'work',
    served: [...workStatisticsServedRoutes(service), ...workServedRoutes(service)],
    jobs: service.jobs,
    events: [
      {
        kind: 'work.changed',
        listen: (listener) => events.on('work.changed', (item) => listener(changeOf(item))),
        changedSince: async (entryId, limit) => (await service.changedSince(entryId, limit)).map(changeOf),
      },
    ],
    settings: { names: WORK_SETTINGS, changed: async () => undefined },
    start: () => service.plan(),
    figures: async () => [
      {
        name: 'work_items_overdue',
        help: 'Open work items past their due time',
        value: await service.countOverdue(),
      },
    ],
  });
  const items = { ...itemPerDocument(parts), ...itemsAndJunk(parts), idsOf: itemIdsOf };
  return { ...room, service, items, answers: answersInHistory(parts) };
}

function changeOf(item: WorkEvents['work.changed']): Change {
  const { id, version } = item;
  const mayReceive = (caller: Caller) => mayReceiveItemEvents(caller, item);
  return { id, version, event: { kind: 'work.changed', data: { id, version }, mayReceive } };
}
