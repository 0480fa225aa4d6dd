import type { BootOptions } from '../../server/config/boot.ts';

/** Returns the options of an installation that a command works on, without a key of its own. */
export const bootOptions = (dataFolder: string, databaseUrl: string | null): BootOptions => ({
  dataFolder,
  host: '127.0.0.1',
  port: 0,
  databaseUrl,
  apiKey: null,
  requireApiKey: true,
  dataKey: null,
});
