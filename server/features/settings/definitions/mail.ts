import { booleanSetting, numberSetting } from '../../../platform/setting-kinds.ts';

const group = 'E-mail';

export const mailSettings = {
  MAIL_ATTACHMENT_MB: numberSetting({
    group,
    label: 'Largest attachment',
    help: 'Received faxes larger than this many megabytes are not attached to e-mails.',
    least: 1,
    most: 100,
    default: 20,
  }),
  MAIL_LINK_WHEN_LARGE: booleanSetting({
    group,
    label: 'Link large faxes',
    help: 'Sends a link to the Inbox for a fax that is too large to attach, instead of asking a person. Needs the public address; whoever opens the link has to sign in.',
    default: false,
  }),
  MAIL_IMPORTED: booleanSetting({
    group,
    label: 'Also send imported faxes',
    help: 'Sends faxes that are imported from another system by e-mail as well, as those that come in. What was imported while this was off is not sent later.',
    default: false,
  }),
  MAIL_UNENCRYPTED: booleanSetting({
    group,
    label: 'Unencrypted e-mail servers',
    help: 'Allows e-mail connectors without encryption to servers other than this computer. Faxes and passwords then cross the network readable.',
    default: false,
  }),
};
