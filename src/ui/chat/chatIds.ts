/** Names that the chat shares with the manifest. */
export interface ChatIds {
  /** Id of the chat participant. */
  readonly participant: string;
  /** Vendor of the models that the extension brings. */
  readonly vendor: string;
  /** Shows a group in the panel. Its one argument is a `GroupLink`. */
  readonly showGroup: string;
  /** Cancels a group. Its one argument is a `GroupLink`. */
  readonly cancelGroup: string;
  /** Lets an interrupted group go on. Its one argument is a `GroupLink`. */
  readonly resumeGroup: string;
  /** Opens the list of results to review, of the group in its one argument `{ groupId }`, or without one of all. Accepts nothing by itself. */
  readonly reviewGroup: string;
  /** Opens the list of what waits for an approval or an answer. Decides nothing by itself, and takes no argument. */
  readonly reviewPending: string;
  /** Opens the list of project definitions to look at and approve. Takes no argument. */
  readonly reviewDefinitions: string;
  /** Ends an open response; registered by the chat. Its one argument is the response's number. */
  readonly continueInBackground: string;
}

/** Argument of the links in a group's block; also tells a later turn which conversation it goes on with. */
export interface GroupLink {
  readonly sessionId: string;
  readonly turnId: string;
  readonly groupId: string;
}
