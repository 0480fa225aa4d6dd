/** The routes that could carry a fax, beside its time and cost on the sending screen. */
export const quotedRoutes = {
  first: 'by ',
  next: 'after a failure by ',
};
