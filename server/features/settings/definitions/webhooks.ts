import { booleanSetting } from '../../../platform/setting-kinds.ts';

const group = 'Access';

export const webhookSettings = {
  WEBHOOKS_ENABLED: booleanSetting({
    opens: ['webhooks:manage'],
    group,
    label: 'Webhooks',
    help: 'Sends events such as “a fax was delivered” to the webhooks of your integrations: ids and states only. While this is off, nothing is sent and no events are recorded.',
    default: false,
  }),
  WEBHOOKS_ALLOW_PRIVATE: booleanSetting({
    opens: ['webhooks:manage'],
    group,
    label: 'Webhooks to private addresses',
    help: 'Allows webhooks to computers in your own network and to this computer, there also without encryption. Otherwise events are sent to public https addresses only.',
    default: false,
  }),
};
