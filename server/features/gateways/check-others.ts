import { OtherGatewaysError } from './errors.ts';
import { type GatewayRow, GONE_MS, MOVES, type OwnGateway } from './types.ts';

const SEVERAL = 'SEVERAL_GATEWAYS=on';

/**
 * Checks that a gateway may work on the database beside those that run on it. `isStart` is false for one that comes back after
 * it was frozen or without the database: at a start, its data folder proves that an earlier run of it has ended. Throws
 * OtherGatewaysError.
 */
export function checkOthers(
  own: OwnGateway,
  gateways: readonly GatewayRow[],
  { isStart }: { isStart: boolean },
): void {
  const running = gateways.filter(({ age }) => age < GONE_MS);
  const copy = running.find(({ id, run }) => id === own.id && run !== own.run);
  if (copy && !isStart)
    throw new OtherGatewaysError(
      `Another gateway (${copy.name}) uses a copy of this data folder. Give each gateway a data folder that no other has.`,
    );
  for (const other of running) {
    if (other.id === own.id) continue;
    const problem = problemWith(own, other);
    if (problem !== null) throw new OtherGatewaysError(problem);
  }
}

function problemWith(own: OwnGateway, other: GatewayRow): string | null {
  const seen = `Another gateway (${other.name}) works on this database; its last sign of life was ${Math.max(0, Math.round(other.age / 1000))} seconds ago.`;
  const gone = 'If it is gone, try again in half a minute.';
  if (other.works_with === MOVES) return `${seen.replace('Another gateway', 'The command')} ${gone}`;
  if (own.works_with === MOVES) return `${seen} Stop it first. ${gone}`;
  if (own.several === 0) return `${seen} Stop it, or set ${SEVERAL} for every gateway. ${gone}`;
  if (other.several === 0) return `${seen} It was started without ${SEVERAL}: stop it first. ${gone}`;
  if (other.works_with !== own.works_with)
    return `${seen} Its release (${other.release}) cannot work beside this one (${own.release}). Stop all gateways of the other release first. ${gone}`;
  return null;
}

/**
 * Checks before a migration that no gateway works on the database: it would meet tables that it does not know. Throws
 * OtherGatewaysError.
 */
export function checkBeforeMigration(
  own: Pick<OwnGateway, 'id' | 'release'>,
  gateways: readonly GatewayRow[],
): void {
  const other = gateways.find(({ id, age }) => id !== own.id && age < GONE_MS);
  if (other)
    throw new OtherGatewaysError(
      `The database must be migrated for this release (${own.release}), and another gateway (${other.name}, release ${other.release}) works on it. Stop every gateway, back up, then start this one first.`,
    );
}
