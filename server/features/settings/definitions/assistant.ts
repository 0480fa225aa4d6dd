import { CONFIRMATIONS } from '../../../../shared/assistant.ts';
import { booleanSetting, choiceSetting } from '../../../platform/setting-kinds.ts';

const group = 'Access';

export const assistantSettings = {
  ASSISTANT_ENABLED: booleanSetting({
    group,
    label: 'Assistants',
    help: 'Lets AI assistants use Faxdesk with an API key, over the Model Context Protocol. They can do what the key can do.',
    default: true,
  }),
  ASSISTANT_CONFIRM: choiceSetting({
    // Without it, nobody looks at a fax of an assistant before it is sent.
    opens: ['fax:send'],
    group,
    label: 'Confirm faxes of assistants',
    help: 'Faxes that a person has to confirm before an assistant sends them: always, only the first one to a number (first_time), or never. Some assistants cannot ask; they send without a question.',
    choices: [...CONFIRMATIONS],
    default: 'always',
  }),
};
