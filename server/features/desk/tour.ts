import type { z } from 'zod';
import type { DeskTour, DeskTourWrite } from '../../../shared/api/desk.ts';
import { isoTime } from '../../platform/clock.ts';
import type { DeskParts } from './parts.ts';
import { findTour, writeTour } from './store.ts';

type Tour = z.infer<typeof DeskTour>;

/** Returns how far a person is in the tour. */
export async function readTour({ db }: Pick<DeskParts, 'db'>, personId: string): Promise<Tour> {
  const row = await findTour(db.read, personId);
  return row ? { state: row.state, step: row.step } : { state: 'none', step: null };
}

/** Records how far a person is. To offer the tour changes nothing for one to whom it was offered before. */
export async function recordTour(
  parts: Pick<DeskParts, 'db' | 'clock'>,
  personId: string,
  { state, step }: z.infer<typeof DeskTourWrite>,
): Promise<Tour> {
  const reached = state === 'begun' ? (step ?? null) : null;
  const row = { person_id: personId, state, step: reached, updated_at: isoTime(parts.clock.now()) };
  await parts.db.transaction((tx) => writeTour(tx, row));
  return readTour(parts, personId);
}
