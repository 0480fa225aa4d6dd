import { startCloudtwoEmulator } from '../../setup/emulators/cloudtwo/index.ts';
import { startTestGateway } from '../../setup/gateway.ts';
import { ManualClock } from '../../setup/manual-clock.ts';
import { ONE_PAGE, OWN_NUMBER, PUBLIC_URL, SENDER } from '../inbound-setup.ts';
import { Examples } from './examples.ts';

/** Callbacks and notifications, as both providers send them. */
export async function callProviders(x: Examples): Promise<void> {
  await callCloudone(x);
  const clock = new ManualClock();
  const keys = { projectId: 'project-1', apiKey: 'access-key', apiSecret: 'access-secret' };
  const emulator = await startCloudtwoEmulator({ ...keys, clock });
  const gateway = await startTestGateway({
    clock,
    settings: {
      FAX_BACKEND: 'cloudtwo',
      INBOUND_ENABLED: 'true',
      INBOUND_POLLING: 'off',
      CLOUDTWO_PROJECT_ID: keys.projectId,
      CLOUDTWO_API_KEY: keys.apiKey,
      CLOUDTWO_API_SECRET: keys.apiSecret,
      CLOUDTWO_API_URL: emulator.url,
      PUBLIC_API_URL: PUBLIC_URL,
    },
  });
  const ofCloudtwo = await Examples.of(gateway, x.recorded);
  const { id } = await gateway.send();
  await gateway.processAll();
  const { attempt, provider_sid } = await gateway.fax(id);
  emulator.complete(String(provider_sid), { pages: 1 });
  const query = { job_id: id, attempt_id: String(attempt?.id) };
  await ofCloudtwo.call('cloudtwoCallback', { key: null, query, json: { event: 'FAX_COMPLETED' } });
  const received = emulator.receive({ from: SENDER, to: OWN_NUMBER, document: ONE_PAGE });
  const notification = await emulator.sendCallback(received.id, {
    url: `${gateway.url}/cloudtwo-inbound`,
    contentType: 'application/json',
    file: null,
  });
  ofCloudtwo.recordWebhook('cloudtwoInbound', notification);
  await gateway.close();
  await emulator.close();
}

async function callCloudone(x: Examples): Promise<void> {
  const { gateway } = x;
  const { emulator } = gateway;
  const { id } = await gateway.send();
  await gateway.processAll();
  const { attempt, provider_sid } = await gateway.fax(id);
  const sid = String(provider_sid);
  emulator.complete(sid);
  const callback = `/cloudone-callback?job_id=${id}&attempt_id=${attempt?.id}`;
  const sent = await emulator.sendCallback(sid, {
    url: `${gateway.url}${callback}`,
    signedUrl: `${PUBLIC_URL}${callback}`,
  });
  x.recordWebhook('cloudoneCallback', sent);
  const received = emulator.receive({ from: SENDER, to: OWN_NUMBER, document: ONE_PAGE });
  const notification = await emulator.sendCallback(String(received.id), {
    url: `${gateway.url}/cloudone-inbound`,
    signedUrl: `${PUBLIC_URL}/cloudone-inbound`,
    file: null,
  });
  x.recordWebhook('cloudoneInbound', notification);
  const { items } = await x.call('pageInbound', { query: { status: 'waiting' } });
  await x.call('fetchInbound', { params: { id: items[0].id } });
  await gateway.processAll();
}
