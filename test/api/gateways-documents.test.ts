import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startProblem } from '../../server/composition/start-problem.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../setup/gateway.ts';
import { HOUR } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { type S3Server, startS3Server } from '../setup/s3-server.ts';
import { newPostgresDatabase, postgresUrl, withoutPostgres } from '../setup/stores.ts';

describe.skipIf(postgresUrl === null)(`gateways with folders of their own${withoutPostgres}`, () => {
  let databaseUrl: string;
  let s3: S3Server;
  const cleanups: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    databaseUrl = await newPostgresDatabase();
    s3 = await startS3Server();
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
    await s3.close();
    await dropPostgresDatabase(databaseUrl);
  });

  async function startFirst(options: TestGatewayOptions = {}): Promise<TestGateway> {
    const settings = s3.settings();
    const one = await startTestGateway({ databaseUrl, hasOwnDocuments: true, settings, ...options });
    cleanups.push(() => one.close());
    return one;
  }

  /** A gateway with the data key of another, and nothing else of it. */
  async function startBeside(one: TestGateway, options: TestGatewayOptions = {}): Promise<TestGateway> {
    const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-beside-'));
    await cp(join(one.dataFolder, 'data.key'), join(dataFolder, 'data.key'));
    cleanups.push(() => rm(dataFolder, { recursive: true, force: true }));
    const { clock, emulator } = one;
    // Credentials are read from the environment at every start.
    const settings = s3.settings();
    const shared = { databaseUrl, clock, emulator, dataFolder, hasOwnDocuments: true, settings };
    const two = await startTestGateway({ ...shared, ...options });
    cleanups.push(() => two.stop());
    return two;
  }

  const refusal = async (starting: Promise<unknown>) =>
    startProblem(
      await starting.then(
        () => null,
        (error: unknown) => error,
      ),
    );

  const warnings = async (gateway: TestGateway) =>
    ((await (await gateway.request('GET', '/health/ready')).json()) as { warnings: string[] }).warnings;

  test('rule (gateways): gateways with one bucket and nothing else in common send and show the documents of each other', async () => {
    const one = await startFirst();
    const two = await startBeside(one);
    const fax = await two.send();
    await one.processAll();
    expect((await two.fax(fax.id)).delivery_state).toBe('in_progress');
    const own = await one.send();
    await two.processAll();
    expect((await one.fax(own.id)).delivery_state).toBe('in_progress');
    for (const gateway of [one, two])
      for (const { id } of [fax, own]) {
        const pdf = await gateway.request('GET', `/fax/${id}/document`);
        expect(pdf.status).toBe(200);
        expect((await pdf.arrayBuffer()).byteLength).toBeGreaterThan(500);
      }
    // The hourly comparison of store and documents, in turns.
    for (let hour = 0; hour < 5; hour += 1) {
      one.clock.advance(HOUR);
      await one.processAll();
      await two.processAll();
    }
    for (const gateway of [one, two])
      expect((await warnings(gateway)).filter((sentence) => sentence.includes('folder'))).toEqual([]);
    await two.restart({ hasOwnDocuments: true }).then((again) => cleanups.push(() => again.stop()));
  });

  test('rule (gateways): documents never go to the folder of one of several gateways, whatever is set', async () => {
    const one = await startFirst();
    const two = await startBeside(one);
    await one.set({ STORAGE_BACKEND: 'local', S3_BUCKET: null });
    const fax = await one.send();
    await two.processAll();
    expect((await two.fax(fax.id)).delivery_state).toBe('in_progress');
    expect((await warnings(one)).join(' ')).toContain('New documents still go to the bucket');
    expect(await refusal(startBeside(one))).toContain('Documents of this installation are in a bucket');
    await one.set({ STORAGE_BACKEND: 's3', S3_BUCKET: 'faxes' });
    expect((await warnings(one)).join(' ')).not.toContain('New documents still go to the bucket');
  });

  test('a gateway is refused where others could not read its documents', async () => {
    const alone = { severalGateways: false };
    const one = await startFirst({ settings: { ...s3.settings(), STORAGE_BACKEND: 'local' }, boot: alone });
    await one.send();
    await one.set({ STORAGE_BACKEND: 's3' });
    await one.stop();
    expect(await refusal(one.restart({ boot: { severalGateways: true } }))).toMatch(
      /^There are documents in .+, where other gateways cannot read them\. .+ run faxdesk storage move\.$/u,
    );
  });

  test('a gateway with an empty folder is refused while documents are in the folder of another', async () => {
    const one = await startFirst({ settings: {} });
    await one.send();
    expect(await refusal(startBeside(one))).toContain('give every gateway of one database the same folder');
  });
});
