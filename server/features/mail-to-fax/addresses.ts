const ADDRESS = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/u;

/** The addresses in a list with commas between them, in lower case; null when one is none. */
export function addressesIn(list: string): string[] | null {
  const found = list.split(',').map((address) => address.trim().toLowerCase());
  return found.every((address) => ADDRESS.test(address)) ? found : null;
}

/**
 * Returns true when an address leads to the mailbox: one of its own, one of those with a suffix after a plus sign
 * (`fax+12025550123@office.example`), or a number at the same domain (`+12025550123@office.example`). All in lower
 * case.
 */
export function isOwnAddress(address: string, own: readonly string[]): boolean {
  const [local, domain] = partsOf(address);
  return own.some((each) => {
    const [ownLocal, ownDomain] = partsOf(each);
    if (domain !== ownDomain) return false;
    return local === ownLocal || local.startsWith(`${ownLocal}+`) || /^\+\d{7,15}$/u.test(local);
  });
}

function partsOf(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf('@');
  return [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
}
