import { WebhookReceiver } from '../../setup/webhook-receiver.ts';
import type { Examples } from './examples.ts';

/** An endpoint of an integration, and what was sent to it. */
export async function callWebhooks(x: Examples): Promise<void> {
  const receiver = await WebhookReceiver.start();
  await x.gateway.set({ WEBHOOKS_ENABLED: true, WEBHOOKS_ALLOW_PRIVATE: true });
  const { items } = await x.call('listIntegrations');
  const created = await x.call('createWebhookEndpoint', {
    json: { integration_id: items[0].id, url: receiver.url, events: ['fax.delivered'] },
  });
  const params = { id: created.endpoint.id };
  await x.call('listWebhookEndpoints');
  const delivery = await x.call('testWebhookEndpoint', { params });
  await x.gateway.processAll();
  await x.call('listWebhookDeliveries', { query: { limit: '20' } });
  await x.call('getWebhookDelivery', { params: { id: delivery.id } });
  await x.call('sendWebhookAgain', { params: { id: delivery.id } });
  await x.gateway.processAll();
  const { version } = created.endpoint;
  const replaced = await x.call('replaceWebhookSecret', { params, json: { overlap_hours: 24, version } });
  const changed = await x.call('changeWebhookEndpoint', {
    params,
    json: {
      url: receiver.url,
      events: ['fax.delivered'],
      enabled: false,
      version: replaced.endpoint.version,
    },
  });
  await x.call('removeWebhookEndpoint', { params, json: { version: changed.version } });
  await receiver.close();
}
