import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BootOptions } from '../config/boot.ts';
import { countRows, movedTables } from '../db/move-tables.ts';
import { lockFile } from '../db/sqlite-file.ts';
import { checkOthers, findMove, hasGateways, listGateways } from '../features/gateways/room.ts';
import { createClosing } from '../platform/closing.ts';
import { createLogger } from '../platform/logger.ts';
import { GatewayRunningError } from './data-folder.ts';
import { checkSource, directionOf, installationOf, openSource } from './move.ts';
import {
  moverOf,
  openMoveStore,
  refuseUsers,
  type StoreKind,
  type TargetState,
  targetState,
} from './move-stores.ts';

/** Result of checking whether a move can begin. */
export interface MoveCheck {
  readonly from: string;
  readonly to: string;
  readonly target: TargetState;
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

/** Checks whether a move can begin, and changes neither store. Throws as `moveInstallation` does. */
export async function checkInstallationMove(boot: BootOptions, to: StoreKind): Promise<MoveCheck> {
  const logger = createLogger({ level: 'error' });
  const closing = createClosing(() => logger);
  try {
    const lock = lockFile(join(boot.dataFolder, 'gateway.lock'));
    if (!lock) throw new GatewayRunningError(`Faxdesk is already running on ${boot.dataFolder}.`);
    closing.add('lock', () => lock.release());
    const { source, target, postgres } = directionOf(boot, to);
    await refuseUsers(postgres);
    const from = openSource(source, closing, { readonly: true });
    await checkSource(boot, from, source, await findMove(from));
    const { id } = await installationOf(from);
    const isThere = target.kind === 'postgres' || existsSync(target.location.sqliteFile);
    const db = isThere ? openMoveStore(target, { readonly: true }) : null;
    closing.add('target', () => db?.close());
    const state = await targetState(db, target, id);
    const shared = to === 'postgres' ? db : from;
    if (shared !== null && (await hasGateways(shared)))
      checkOthers(await moverOf(boot), await listGateways(shared.read), { isStart: true });
    const tables: { name: string; rows: number }[] = [];
    for (const name of await movedTables(from)) tables.push({ name, rows: await countRows(from, [name]) });
    return { from: source.words, to: target.words, target: state, tables };
  } finally {
    await closing.run();
  }
}
