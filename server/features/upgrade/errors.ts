import { RefusalError } from '../../platform/errors.ts';

export const underWay = () => new RefusalError('upgrade_under_way');
export const notHere = () => new RefusalError('upgrade_not_here');
