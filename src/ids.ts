/** Every name that the manifest and the code must agree on. */

/** Commands. All are in the manifest; those that need an element are hidden from the palette. */
export const COMMANDS = {
  showPanel: 'subagents.showPanel',
  showLog: 'subagents.showLog',
  reloadDefinitions: 'subagents.reloadDefinitions',
  setApiKey: 'subagents.setApiKey',
  configureModels: 'subagents.configureModels',
  startExample: 'subagents.startExample',
  delegate: 'subagents.delegate',
  delegateSelection: 'subagents.delegateSelection',
  fixProblem: 'subagents.fixProblem',
  reviewUncommitted: 'subagents.reviewUncommitted',
  cancelChild: 'subagents.cancelChild',
  cancelGroup: 'subagents.cancelGroup',
  cancelAll: 'subagents.cancelAll',
  resume: 'subagents.resume',
  resumeWith: 'subagents.resumeWith',
  retry: 'subagents.retry',
  resumeInterrupted: 'subagents.resumeInterrupted',
  sendMessage: 'subagents.sendMessage',
  retryTurn: 'subagents.retryTurn',
  redirect: 'subagents.redirect',
  reviewApprovals: 'subagents.reviewApprovals',
  allow: 'subagents.allow',
  deny: 'subagents.deny',
  moreDecisions: 'subagents.moreDecisions',
  answer: 'subagents.answer',
  dontAnswer: 'subagents.dontAnswer',
  showApprovalDetails: 'subagents.showApprovalDetails',
  allowOnce: 'subagents.allowOnce',
  showDecisions: 'subagents.showDecisions',
  openResult: 'subagents.openResult',
  openTranscript: 'subagents.openTranscript',
  accept: 'subagents.accept',
  acceptGroup: 'subagents.acceptGroup',
  reviewGroup: 'subagents.reviewGroup',
  openChanges: 'subagents.openChanges',
  openDiff: 'subagents.openDiff',
  openChangedFile: 'subagents.openChangedFile',
  acceptFile: 'subagents.acceptFile',
  undoFile: 'subagents.undoFile',
  reviewHunks: 'subagents.reviewHunks',
  undo: 'subagents.undo',
  undoGroup: 'subagents.undoGroup',
  removeWorktree: 'subagents.removeWorktree',
  requestChanges: 'subagents.requestChanges',
  addComment: 'subagents.addComment',
  editComment: 'subagents.editComment',
  saveComment: 'subagents.saveComment',
  cancelComment: 'subagents.cancelComment',
  deleteComment: 'subagents.deleteComment',
  sendComments: 'subagents.sendComments',
  acceptHunk: 'subagents.acceptHunk',
  undoHunk: 'subagents.undoHunk',
  reviewDefinitions: 'subagents.reviewDefinitions',
  newAgent: 'subagents.newAgent',
  openAgentSettings: 'subagents.openAgentSettings',
  openDefinition: 'subagents.openDefinition',
  runDefinition: 'subagents.runDefinition',
  previewAgent: 'subagents.previewAgent',
  copyDefinition: 'subagents.copyDefinition',
  approveDefinition: 'subagents.approveDefinition',
  revealDefinition: 'subagents.revealDefinition',
  revealDefinitionInOs: 'subagents.revealDefinitionInOs',
  deleteDefinition: 'subagents.deleteDefinition',
  showMcpServers: 'subagents.showMcpServers',
  forgetMcpInputs: 'subagents.forgetMcpInputs',
  showScheduledPrompts: 'subagents.showScheduledPrompts',
  /** Registered by the chat participant, which holds the open response. */
  continueInBackground: 'subagents.continueInBackground',
} as const;
export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];

/** Commands on the threads of comments beside files under review, and on the comments in them. */
export const THREAD_COMMANDS = [COMMANDS.addComment, COMMANDS.editComment, COMMANDS.saveComment, COMMANDS.cancelComment, COMMANDS.deleteComment, COMMANDS.sendComments, COMMANDS.acceptHunk, COMMANDS.undoHunk] as const;
export type ThreadCommandId = (typeof THREAD_COMMANDS)[number];

/** Commands that act on a row, a link or a thread, and do nothing by themselves. */
export const ROW_COMMANDS: ReadonlySet<string> = new Set([
  COMMANDS.cancelChild, COMMANDS.cancelGroup, COMMANDS.resume, COMMANDS.resumeWith, COMMANDS.retry, COMMANDS.allow, COMMANDS.deny, COMMANDS.moreDecisions, COMMANDS.answer, COMMANDS.dontAnswer, COMMANDS.showApprovalDetails, COMMANDS.allowOnce,
  COMMANDS.openResult, COMMANDS.openTranscript, COMMANDS.accept, COMMANDS.acceptGroup, COMMANDS.openChanges, COMMANDS.openDiff, COMMANDS.openChangedFile, COMMANDS.acceptFile, COMMANDS.undoFile,
  COMMANDS.reviewHunks, COMMANDS.undo, COMMANDS.undoGroup, COMMANDS.removeWorktree, COMMANDS.requestChanges,
  COMMANDS.openDefinition, COMMANDS.runDefinition, COMMANDS.copyDefinition, COMMANDS.approveDefinition, COMMANDS.revealDefinition, COMMANDS.revealDefinitionInOs, COMMANDS.deleteDefinition,
  ...THREAD_COMMANDS,
]);

/** Commands that start groups without the chat. */
export const DELEGATING_COMMANDS = [COMMANDS.delegate, COMMANDS.delegateSelection, COMMANDS.fixProblem, COMMANDS.reviewUncommitted] as const;
export type DelegatingCommandId = (typeof DELEGATING_COMMANDS)[number];

export const VIEW_CONTAINER = 'subagents';

export const VIEWS = { groups: 'subagents.groups', tasks: 'subagents.tasks', agents: 'subagents.agents' } as const;

/** URI schemes of what exists only in memory: documents, and, as `change`, the sides of a diff. */
export const SCHEMES = { document: 'subagents', approval: 'subagents-approval', decisions: 'subagents-decisions', answer: 'subagents-answer', change: 'subagents-change', definition: 'subagents-definition', preview: 'subagents-preview' } as const;

/** What menus ask of besides rows. `definitionFiles`: paths of the definition files in sight. */
export const CONTEXT_KEYS = { definitionFiles: 'subagents.definitionFiles' } as const;

/** Whose comments stand beside files under review. */
export const COMMENT_CONTROLLER = 'subagents.review';

export const PARTICIPANT = { id: 'subagent-panel.subagents', name: 'subagents' } as const;

/** Language model tools, which other chat agents call. */
export const LM_TOOLS = { delegate: 'subagents_delegate', status: 'subagents_get_status' } as const;

/** Slash commands of the participant. */
export const CHAT_COMMANDS = ['delegate', 'status', 'review', 'agents', 'resume', 'cancel'] as const;
export type ChatCommand = (typeof CHAT_COMMANDS)[number];

/** Vendor of the models that the extension offers in VS Code's picker. */
export const MODEL_VENDOR = 'subagent-panel';

export const STATUS_BAR_ITEM = 'subagents.status';

export const SETTINGS_SECTION = 'subagents';

/** Keys inside `subagents.`. */
export const SETTINGS = {
  provider: 'provider',
  model: 'model',
  baseUrl: 'baseUrl',
  api: 'api',
  maxOutputTokens: 'maxOutputTokens',
  reasoningEffort: 'reasoningEffort',
  contextWindow: 'contextWindow',
  price: 'price',
  models: 'models',
  defaultModel: 'defaultModel',
  maxParallelSubagents: 'maxParallelSubagents',
  maxTasksPerCall: 'maxTasksPerCall',
  maxTurns: 'maxTurns',
  maxDuration: 'limits.maxDuration',
  toolLimit: 'limits.tool',
  toolIdle: 'limits.toolIdle',
  streamIdle: 'limits.streamIdle',
  budgetTokens: 'budget.tokensPerGroup',
  budgetCost: 'budget.costPerGroup',
  allow: 'permissions.allow',
  ask: 'permissions.ask',
  deny: 'permissions.deny',
  subagentPermission: 'subagentPermission',
  permissionMode: 'permissionMode',
  keepEnvironment: 'shell.keepEnvironment',
  dropEnvironment: 'shell.dropEnvironment',
  agentsDirectory: 'agents.directory',
  agentsEnabled: 'agents.enabled',
  agentsInterop: 'agents.interop',
  tasksEnabled: 'tasks.enabled',
  mcpServers: 'mcpServers',
  skillsEnabled: 'skills.enabled',
  skillsDirectory: 'skills.directory',
  webFetchEnabled: 'webFetch.enabled',
  privateHosts: 'webFetch.allowPrivateHosts',
  searchBackend: 'webSearch.backend',
  searchAddress: 'webSearch.baseUrl',
} as const;
export type SettingKey = (typeof SETTINGS)[keyof typeof SETTINGS];
