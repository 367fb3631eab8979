/** A checkout that is set up and ready to run programs in. It is gone when the run is over. */
export interface Tree {
  readonly checkout: string;
  /** The whole environment for programs there: an empty home, nothing of the caller's. */
  readonly env: Readonly<Record<string, string>>;
}

/** Further checkouts of the two commits of a run. */
export interface Trees {
  /** Whether something is built when a tree is made: what is edited afterwards is not in it. */
  readonly builds: boolean;
  /**
   * A new checkout of one side, edited before its dependencies are put in place. `cause` says why there is none: that
   * leaves a check open, it never fails one. `unbuilt`: a build that was asked for ended with a failure.
   */
  fresh(
    side: 'head' | 'base',
    edit: (checkout: string) => Promise<void>,
  ): Promise<Tree | { readonly cause: string; readonly unbuilt?: boolean }>;
}

/**
 * Results that depend on nothing but their key, kept between runs on this machine and sealed with the runner's key.
 * What is taken from here is noted in the result.
 */
export interface Memory {
  recall(key: string): Promise<string | undefined>;
  keep(key: string, text: string): Promise<void>;
}
