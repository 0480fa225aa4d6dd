/** Sentences for an id that no fax has. One that was removed with an archive is answered with a sentence that names it. */
export const NO_SUCH_FAX = 'There is no such fax.';
export const NO_SUCH_RECEIVED_FAX = 'There is no such received fax.';
