import { expect, test } from 'vitest';
import { reportOf as cloudoneReport } from '../../server/adapters/providers/cloudone/fax-report.ts';
import { faxSchema as cloudoneFax } from '../../server/adapters/providers/cloudone/wire.ts';
import { reportOf as cloudtwoReport } from '../../server/adapters/providers/cloudtwo/fax-report.ts';
import { faxSchema as cloudtwoFax } from '../../server/adapters/providers/cloudtwo/wire.ts';

const BUSY = { error_type: 'lineError', error_id: 17 };

const ofCloudone = (recipients: object[], fax: object = {}) => {
  const { unreached, noPageTransmitted } = cloudoneReport(
    cloudoneFax.parse({ id: 1, status: 'failure', recipients, ...fax }),
  );
  return { unreached, noPageTransmitted };
};
const ofCloudtwo = (fax: object) => {
  const failed = { id: 'a', status: 'FAILURE', errorType: 'LINE_ERROR', errorCode: 17, ...fax };
  const { unreached, noPageTransmitted } = cloudtwoReport(cloudtwoFax.parse(failed));
  return { unreached, noPageTransmitted };
};

test.each([
  ['the first call was busy', [{ ...BUSY, retry_count: 0 }], {}, 'busy', true],
  [
    'nobody answered the first call',
    [{ error_type: 'lineError', error_id: 87, retry_count: 0 }],
    {},
    'no_answer',
    true,
  ],
  // An earlier call may have got through.
  ['the vendor had called before', [{ ...BUSY, retry_count: 1 }], {}, 'busy', false],
  ['nothing is told of earlier calls', [BUSY], {}, 'busy', false],
  ['somebody else got the fax', [{ ...BUSY, retry_count: 0 }], { status: 'partialsuccess' }, null, false],
  ['it is no error of the line', [{ error_type: 'faxError', error_id: 17, retry_count: 0 }], {}, null, false],
  ['it is still tried', [{ ...BUSY, retry_count: 0 }], { status: 'inprogress' }, null, false],
] as const)('cloudone: the result when %s', (_of, recipients, fax, unreached, noPageTransmitted) => {
  expect(ofCloudone([...recipients], fax)).toEqual({ unreached, noPageTransmitted });
});

test.each([
  ['the first call was busy', { retryCount: 0 }, 'busy', true],
  ['the vendor had called before', { retryCount: 1 }, 'busy', false],
  ['nothing is told of earlier calls', {}, 'busy', false],
  ['pages had passed', { retryCount: 0, pagesSentSuccessfully: 1 }, null, false],
  ['a machine answered', { retryCount: 0, errorType: 'FAX_ERROR', errorCode: 21 }, null, false],
] as const)('cloudtwo: the result when %s', (_of, fax, unreached, noPageTransmitted) => {
  expect(ofCloudtwo(fax)).toEqual({ unreached, noPageTransmitted });
});
