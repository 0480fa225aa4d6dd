import type { z } from 'zod';
import type { DeskTour, DeskTourWrite } from '../../../shared/api/desk.ts';
import { isoTime } from '../../platform/clock.ts';
import type { DeskParts } from './parts.ts';
import { findTour, writeTour } from './store.ts';

type Tour = z.infer<typeof DeskTour>;

/** Returns the progress of a person in the tour; the state `none` when it was never offered. */
export async function readTour({ db }: Pick<DeskParts, 'db'>, personId: string): Promise<Tour> {
  const row = await findTour(db.read, personId);
  return row ? { state: row.state, step: row.step } : { state: 'none', step: null };
}

/** Records the progress of a person in the tour. The state `offered` is ignored when another one is stored already. */
export async function recordTour(
  parts: Pick<DeskParts, 'db' | 'clock'>,
  personId: string,
  { state, step }: z.infer<typeof DeskTourWrite>,
): Promise<Tour> {
  const currentStep = state === 'begun' ? (step ?? null) : null;
  const row = { person_id: personId, state, step: currentStep, updated_at: isoTime(parts.clock.now()) };
  await parts.db.transaction((tx) => writeTour(tx, row));
  return readTour(parts, personId);
}
