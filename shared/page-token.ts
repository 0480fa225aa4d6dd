/**
 * A token that only the pages of one origin hold, beside the cookie of their session: browsers send a cookie to every port
 * of a host, and so to other programs there. 256 bits as base64url.
 */
export const PAGE_TOKEN = /^[\w-]{43}$/u;

/** Carries it, at sign-in and with every request after that. */
export const PAGE_TOKEN_HEADER = 'X-Page-Token';

/** In addresses that a browser opens itself (pictures, files, streams): the `address_token` of `GET /auth/me`. */
export const PAGE_TOKEN_PARAMETER = 'page_token';
