import { z } from 'zod';
import { AMOUNT_LIMIT, AMOUNT_RULE, isCurrency } from '../../../../shared/money.ts';
import { textSetting } from '../../../platform/setting-kinds.ts';

const group = 'Spending limits';

const CURRENCY_ERROR = 'must be the code of a currency, such as USD';
const AMOUNT_ERROR = `must be ${AMOUNT_RULE}`;

const amount = z.string(AMOUNT_ERROR).regex(AMOUNT_LIMIT, AMOUNT_ERROR);

const limit = (words: { label: string; help: string }) =>
  textSetting({
    group,
    opens: ['routing:manage'],
    ...words,
    schema: amount,
    format: 'line',
    most: 16,
    rule: { pattern: AMOUNT_LIMIT.source, sentence: `Enter ${AMOUNT_RULE}.` },
  });

export const costSettings = {
  SPENDING_CURRENCY: textSetting({
    group,
    opens: ['routing:manage'],
    label: 'Currency of the limits',
    help: 'Such as USD. If empty, no limit applies. Faxes with an unknown cost, or a cost in another currency, are not counted and not held.',
    schema: z.string(CURRENCY_ERROR).refine(isCurrency, CURRENCY_ERROR),
    format: 'line',
    most: 3,
    rule: { pattern: '^[A-Z]{3}$', sentence: 'Enter the three capital letters of a currency, such as USD.' },
  }),
  SPENDING_DAY: limit({
    label: 'Per day',
    help: 'The most that all faxes of a day can cost together. A fax that would exceed it is held until someone releases it. Leave it empty for no limit.',
  }),
  SPENDING_MONTH: limit({
    label: 'Per month',
    help: 'The most that all faxes of a calendar month can cost together. A fax that would exceed it is held until someone releases it. Leave it empty for no limit.',
  }),
  SPENDING_PERSON_DAY: limit({
    label: 'Per person and day',
    help: 'The most that the faxes of each person or integration can cost in a day. People can have their own limits. Empty means no limit.',
  }),
  SPENDING_PERSON_MONTH: limit({
    label: 'Per person and month',
    help: 'The most that the faxes of each person or integration can cost in a calendar month. People can have their own limits. Empty means no limit.',
  }),
};
