import type { TestProject } from 'vitest/node';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { buildGatewayIfStale } from '../../scripts/build-gateway.ts';
import { buildChildIfStale } from './built-child.ts';
import { keepTemporaryFoldersInMemory } from './memory-folder.ts';
import { startPostgres } from './postgres.ts';
import { migratePostgresTemplate, migrateSqliteTemplate, SQLITE_TEMPLATE } from './store-templates.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the run's PostgreSQL server (database `postgres`), null when there is none. */
    postgresUrl: string | null;
    /** Reason why there is no PostgreSQL, for a skipped test; null when there is one. */
    postgresUnavailable: string | null;
    /** Name of the database on that server that new ones are copied from; empty without a server. */
    postgresTemplate: string;
    /** Path of the SQLite file that new stores are copied from. */
    sqliteTemplate: string;
    /** Reason why the console could not be built; null when it is in `out/console`. */
    consoleProblem: string | null;
  }
}

/** Beginnings of the paths of tests that start commands or processes of documents. */
const WITH_GATEWAYS = ['api', 'browser', 'built', 'cli', 'desktop', 'faults', 'races', 'restart'].map(
  (folder) => `${folder}/`,
);

/** The same of tests that start gateways which they stop or kill. */
const WITH_CHILDREN = ['restart/', 'api/outbound-engine', 'browser/not-connected', 'browser/shift-faults'];

/** Starts what all test files share, once in a run; stops it at the end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // Several processes that build it at once would empty each other's folder.
  const needsConsole = await hasTestsIn(project, ['browser/', 'desktop/', 'packaging/']);
  project.provide('consoleProblem', needsConsole ? await buildConsole() : null);
  // Commands, and processes of documents, start in half the time.
  if (await hasTestsIn(project, WITH_GATEWAYS)) await buildGatewayIfStale();
  if (await hasTestsIn(project, WITH_CHILDREN)) await buildChildIfStale();
  const removeFolders = await keepTemporaryFoldersInMemory();
  const template = await migrateSqliteTemplate();
  project.provide('sqliteTemplate', template.sqliteFile);
  process.env[SQLITE_TEMPLATE] = template.sqliteFile;
  const removeFiles = async () => {
    await template.remove();
    await removeFolders();
  };
  const postgres = await startPostgres();
  if ('unavailable' in postgres) {
    project.provide('postgresUrl', null);
    project.provide('postgresUnavailable', postgres.unavailable);
    project.provide('postgresTemplate', '');
    return removeFiles;
  }
  project.provide('postgresUrl', postgres.url('postgres'));
  project.provide('postgresUnavailable', null);
  project.provide('postgresTemplate', await migratePostgresTemplate(postgres));
  return async () => {
    await postgres.stop();
    await removeFiles();
  };
}

/** A run of other tests alone needs nothing that is built. */
async function hasTestsIn(project: TestProject, beginnings: readonly string[]): Promise<boolean> {
  const filters = process.argv.slice(2).filter((word) => word !== 'run' && !word.startsWith('-'));
  const files = await project.vitest.globTestSpecifications(filters);
  return files.some(({ moduleId }) => beginnings.some((name) => moduleId.includes(`/test/${name}`)));
}

/** A console that cannot be built fails the tests that look at it, not the others. */
async function buildConsole(): Promise<string | null> {
  try {
    await buildConsoleIfStale();
    return null;
  } catch (error) {
    return String(error);
  }
}
