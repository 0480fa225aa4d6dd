import { z } from 'zod';
import { defineRoute } from './route.ts';
import { Done, OptionalTime, pageOf, Time } from './values.ts';

const room = 'upgrade';

/** Location of an installation of an earlier release, on the computer of the gateway. */
const EarlierInstallationIn = z
  .strictObject({
    database: z.string().min(1).max(1_000).describe('a database file, or a postgres:// address'),
    files: z.string().min(1).max(1_000).describe('the folder with its files'),
    environment: z
      .string()
      .min(1)
      .max(1_000)
      .nullable()
      .default(null)
      .describe('its environment file; null to move no settings over'),
  })
  .meta({ id: 'EarlierInstallation' });

const UpgradeLine = z.strictObject({
  kind: z.string().describe('what it is about, e.g. `key_waits`'),
  subject_id: z.string().nullable().describe('of the fax or key that it is about'),
  text: z.string().describe('one sentence for a person'),
});

const UpgradeReport = z
  .strictObject({
    source: z.string().describe('the database in words, without a password'),
    files: z.string(),
    started_at: Time,
    finished_at: OptionalTime.describe('null for a dry run, and for an upgrade that was interrupted'),
    dry_run: z.boolean(),
    repeated: z.boolean().describe('everything had been moved over before'),
    moved: z.array(z.strictObject({ what: z.string(), count: z.string() })).describe('in words'),
    counts: z.record(z.string(), z.number().int()),
    line_count: z.number().int(),
    lines: z.array(UpgradeLine).describe('what a person should look at; at most 200'),
  })
  .meta({ id: 'UpgradeReport' });

const UpgradeState = z
  .strictObject({
    checking: z.boolean().describe('a dry run is under way'),
    progress: z
      .strictObject({ part: z.string(), done: z.number().int(), total: z.number().int() })
      .nullable(),
    problem: z.string().nullable().describe('why the last dry run or upgrade did not finish'),
    check: UpgradeReport.nullable().describe('of the last dry run since the start'),
    report: UpgradeReport.nullable().describe('of the last upgrade; null where there was none'),
    can_upgrade: z.boolean().describe('false where the gateway cannot be started again from here'),
  })
  .meta({ id: 'UpgradeState' });

export const upgradeRoutes = {
  state: defineRoute({
    id: 'readUpgrade',
    room,
    method: 'GET',
    path: '/console/upgrade',
    summary: 'Report of the last upgrade from an earlier release, and of a dry run',
    access: 'owner:recover',
    answer: { status: 200, schema: UpgradeState },
  }),
  check: defineRoute({
    id: 'checkUpgrade',
    room,
    method: 'POST',
    path: '/console/upgrade/check',
    summary: 'Check an earlier installation without changing anything',
    description: 'It goes on after the answer; `GET /console/upgrade` has its progress and its report.',
    access: 'owner:recover',
    body: EarlierInstallationIn,
    answer: { status: 202, schema: Done },
    refusals: ['upgrade_under_way'],
  }),
  start: defineRoute({
    id: 'startUpgrade',
    room,
    method: 'POST',
    path: '/console/upgrade',
    summary: 'Stop, move an installation of an earlier release over, and start again',
    description:
      'It goes on after the answer: the gateway stops, upgrades and starts again at the same address. When the upgrade does not finish, `problem` says why; ordered again, it continues.',
    access: 'owner:recover',
    audited: { operation: 'installation.upgrade', target: 'installation' },
    body: EarlierInstallationIn,
    answer: { status: 202, schema: Done },
    refusals: ['upgrade_under_way', 'upgrade_not_here'],
  }),
  lines: defineRoute({
    id: 'listUpgradeLines',
    room,
    method: 'GET',
    path: '/console/upgrade/lines',
    summary: 'Lines of the report of the last upgrade, in order',
    access: 'owner:recover',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(100).optional(),
    }),
    answer: {
      status: 200,
      schema: pageOf(UpgradeLine),
    },
    refusals: ['invalid_cursor'],
  }),
};

export type UpgradeReportAnswer = z.infer<typeof UpgradeReport>;
export type UpgradeStateAnswer = z.infer<typeof UpgradeState>;
