import type { Episode } from '../episode.ts';
import { database } from './database.ts';
import { descriptors } from './descriptors.ts';
import { disk } from './disk.ts';
import { imports } from './imports.ts';
import { mailToFax } from './mail-to-fax.ts';
import { office } from './office.ts';
import { power } from './power.ts';
import { printing } from './printing.ts';
import { restore } from './restore.ts';
import { several } from './several.ts';
import { startStop } from './start-stop.ts';
import { stores } from './stores.ts';
import { storm } from './storm.ts';

/** Every episode of `npm run endure`. */
export const EPISODES: readonly Episode[] = [
  storm,
  power,
  office,
  mailToFax,
  imports,
  printing,
  disk,
  startStop,
  restore,
  database,
  several,
  stores,
  descriptors,
];
