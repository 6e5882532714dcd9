/** Why a resource was not fetched; a caller reads it in the warning `resource_blocked`. */
export type BlockReason =
  /** Not an absolute address. */
  | 'address_unusable'
  /** Not https. */
  | 'not_https'
  /** A user name or password in the address. */
  | 'credentials'
  /** The operator allows certain hosts only. */
  | 'host_not_allowed'
  /** The name leads to this machine, a private network or another port than 443. */
  | 'not_public'
  /** The name is unknown, nobody answers, or the certificate is not valid. */
  | 'unreachable'
  | 'too_many_redirects'
  /** Another answer than 200, or one that is compressed. */
  | 'bad_answer'
  | 'too_large'
  | 'too_slow'
  /** Not an image, font, style sheet or sound of the kinds taken, whatever it is named. */
  | 'wrong_type'
  /** The document refers to more resources than it may. */
  | 'too_many';

/** Thrown for every resource that is not fetched, whatever the cause. */
export class AssetBlocked extends Error {
  readonly reason: BlockReason;

  constructor(reason: BlockReason, cause?: unknown) {
    super(reason, { cause });
    this.name = 'AssetRefused';
    this.reason = reason;
  }
}
