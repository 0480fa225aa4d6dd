import { setTimeout } from 'node:timers/promises';
import { FIXTURE, upgradedFolder } from '../../setup/earlier-installation.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../../setup/gateway.ts';
import { ManualClock } from '../../setup/manual-clock.ts';
import { startLineGateway } from '../outbound-line-setup.ts';
import { Examples } from './examples.ts';

/** Routes that need a gateway of their own: with HTTPS, a telephone line, or data of an earlier release. */
export async function callOtherGateways(x: Examples): Promise<void> {
  await callLine(x);
  await callHttps(x);
  await callUpgrade(x);
}

async function callLine(x: Examples): Promise<void> {
  const { gateway, engine } = await startLineGateway();
  const ofLine = await Examples.of(gateway, x.recorded);
  await ofLine.call('writeTelephonyConfiguration', { json: {} });
  await ofLine.call('checkTelephony', { json: { loop: true } });
  await gateway.close();
  await engine.close();
}

async function callHttps(x: Examples): Promise<void> {
  const settings = { HTTPS_ENABLED: 'true', HTTPS_HOST: '127.0.0.1', HTTPS_PORT: '0' };
  await withGateway({ settings }, async (gateway) => {
    const ofHttps = await Examples.of(gateway, x.recorded);
    await ofHttps.call('downloadHttpsRoot', { key: null });
  });
}

async function callUpgrade(x: Examples): Promise<void> {
  const clock = new ManualClock();
  const dataFolder = await upgradedFolder(clock);
  // The rest happens between two starts of a gateway.
  const upgrade = { start: () => undefined, problem: null };
  await withGateway({ clock, dataFolder, upgrade }, async (gateway) => {
    const upgraded = await Examples.of(gateway, x.recorded);
    await upgraded.call('listUpgradeLines', { query: { limit: '20' } });
    const order = { database: FIXTURE.from, files: FIXTURE.files, environment: FIXTURE.environmentFile };
    await upgraded.call('checkUpgrade', { json: order });
    while ((await upgraded.call('readUpgrade')).checking) await setTimeout(20);
    await upgraded.call('startUpgrade', { json: order });
    const { items } = await upgraded.call('listAccessKeys');
    const waiting = items.find(({ state }: { state: string }) => state === 'review');
    await approve(upgraded, waiting);
  });
}

async function approve(x: Examples, key: { key_id: string; version: number }): Promise<void> {
  const { policy_version } = await x.call('getMe');
  const { items } = await x.call('listIntegrations');
  const [{ id, version }] = items;
  await x.call('approveAccessKey', {
    params: { key_id: key.key_id },
    json: {
      principal: { id, version },
      ceiling: [{ permission: 'fax:send', resource_id: 'installation' }],
      version: key.version,
      expected_policy_version: policy_version,
    },
  });
}

async function withGateway(
  options: TestGatewayOptions,
  work: (gateway: TestGateway) => Promise<void>,
): Promise<void> {
  const gateway = await startTestGateway(options);
  try {
    await work(gateway);
  } finally {
    await gateway.close();
  }
}
