import { RefusalError } from '../../platform/errors.ts';

export const noRootCertificate = () => new RefusalError('no_root_certificate');
