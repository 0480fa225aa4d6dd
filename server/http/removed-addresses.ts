import type { RequestHandler } from 'express';
import { RefusalError } from '../platform/errors.ts';

/** Sentences for addresses of parts that were removed, by how their paths begin. */
const REMOVED: readonly (readonly [RegExp, string])[] = [
  [
    /^\/admin\/tunnel(?:\/|$)/iu,
    'The remote access of earlier releases was removed. Turn on HTTPS under Settings > Other computers, or use a reverse proxy.',
  ],
  [
    /^\/admin\/actions(?:\/|$)/iu,
    'Server actions were removed. Use the command line on the computer of the gateway.',
  ],
  [
    /^\/plugin-registry(?:\/|$)/iu,
    'The list of provider plugins was removed. The providers are built in: GET /admin/settings names them.',
  ],
];

/** Answers 410 with a sentence for addresses of removed parts. Mounted after every route. */
export const removedAddresses: RequestHandler = ({ path }, _response, next) => {
  const found = REMOVED.find(([start]) => start.test(path));
  if (found === undefined) next();
  else next(new RefusalError('address_removed', { sentence: found[1] }));
};
