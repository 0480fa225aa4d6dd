/** What a part is given: the item that is open beside its list. */
export interface PartProps {
  readonly id: string | undefined;
}
