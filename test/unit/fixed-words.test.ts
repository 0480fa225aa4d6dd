import { describe, expect, test } from 'vitest';
import { ImportResult } from '../../shared/api/imports.ts';
import { UNKNOWN_NUMBER } from '../../shared/api/inbound-shapes.ts';
import { ConnectorIn } from '../../shared/api/intake.ts';
import { INVALID_CONFIGURATION } from '../../shared/api/settings.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { FIXED_WORDS } from '../../shared/fixed-words.ts';
import { INBOUND_STATUS_TEXT } from '../../shared/states/inbound.ts';
import { STATUS_LABELS } from '../../shared/states/outbound.ts';
import { WORK_STATE_TEXT } from '../../shared/states/work.ts';

// Written out on purpose, as the contract has them.
const CONTRACT = {
  noProvider: 'No fax provider set up yet.',
  workItemChanged: 'This item changed; reload and try again.',
  documentNotReceivedYet: 'The document has not been received yet.',
  invalidConfiguration: 'Invalid configuration input.',
  unknownNumber: 'Unknown',
  emailSubject: 'Fax from {from_number}',
  receivedFax: { waiting: 'Waiting for the document', received: 'Received', failed: 'Not received' },
  workItem: {
    waiting: 'Waiting for an owner',
    assigned: 'Assigned',
    overdue: 'Overdue',
    escalated: 'Escalated',
    acknowledged: 'Acknowledged',
    done: 'Done',
  },
  sentFax: ['queued', 'in_progress', 'SUCCESS', 'FAILED', 'disabled'],
  importResult: ['received', 'duplicate'],
};

describe('the words that the contract fixes', () => {
  test('are in the table to the letter', () => {
    expect(FIXED_WORDS).toEqual(CONTRACT);
  });

  test('are what the product says', () => {
    expect(ERRORS.no_provider).toEqual({ status: 409, sentence: CONTRACT.noProvider });
    expect(ERRORS.work_item_changed).toEqual({ status: 409, sentence: CONTRACT.workItemChanged });
    expect(ERRORS.not_received_yet).toEqual({ status: 404, sentence: CONTRACT.documentNotReceivedYet });
    expect(INVALID_CONFIGURATION).toBe(CONTRACT.invalidConfiguration);
    expect(UNKNOWN_NUMBER).toBe(CONTRACT.unknownNumber);
    expect(INBOUND_STATUS_TEXT).toEqual(CONTRACT.receivedFax);
    expect(WORK_STATE_TEXT).toEqual(CONTRACT.workItem);
    expect(STATUS_LABELS).toEqual(CONTRACT.sentFax);
    expect(ImportResult.shape.status.options).toEqual(CONTRACT.importResult);
    expect(ConnectorIn.shape.subject_template.parse(undefined)).toBe(CONTRACT.emailSubject);
  });
});
