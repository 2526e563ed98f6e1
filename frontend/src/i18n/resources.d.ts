// Made by scripts/text-types.mjs (npm run texts)
export interface Resources {
  account: {
    'loadFailed': string
    'password': string
    'passwordRequired': string
    'toVerification': string
    'you': string
    'youHint': string
    'displayName': string
    'region': string
    'regionHint': string
    'timeZone': string
    'email': string
    'emailHint': string
    'verified': string
    'notVerified': string
    'emailRefused': string
    'emailRefusedTitle': string
    'emailRefusedText': '{{when}}'
    'emailAgain': string
    'emailAgainDone': '{{email}}'
    'changeEmail': string
    'newEmail': string
    'emailRequired': string
    'changeEmailText': '{{email}}'
    'sendLink': string
    'linkSent': '{{email}}'
    'profileKept': string
    'passwordTitle': string
    'passwordText': string
    'currentPassword': string
    'newPassword': string
    'newPasswordHint': string
    'newPasswordRequired': string
    'changePassword': string
    'passwordChanged': string
    'twoStep': string
    'twoStepHint': string
    'twoStepFailed': string
    'off': string
    'on': string
    'onSince': '{{day}}'
    'codesLeft_zero': string
    'codesLeft_one': '{{count}}'
    'codesLeft_other': '{{count}}'
    'setUp': string
    'turnOff': string
    'turnOffTitle': string
    'turnOffText': string
    'turnedOff': string
    'newCodes': string
    'newCodesText': string
    'setUpText': string
    'continue': string
    'scan': string
    'qrCode': string
    'secret': string
    'code': string
    'codeHint': string
    'anyCode': string
    'anyCodeHint': string
    'codeRequired': string
    'turnOn': string
    'codesTitle': string
    'codesText': string
    'copyCodes': string
    'downloadCodes': string
    'codesFile': '{{email}}'
    'codesFileHint': '{{day}}'
    'codesKept': string
    'sessions': string
    'sessionsHint': string
    'sessionsFailed': string
    'deviceOn': '{{browser}}{{system}}'
    'unknownDevice': string
    'thisDevice': string
    'lastUsed': '{{when}}'
    'loggedIn': '{{when}}'
    'endSession': string
    'endSessionOf': '{{device}}'
    'sessionEnded': '{{device}}'
    'endFailed': '{{device}}'
    'endOthers': string
    'othersEnded': string
    'endOthersFailed': string
    'noOthers': string
    'activity': string
    'activityHint': string
    'activityFailed': string
    'activityEmpty': string
    'activityCount_one': '{{count}}'
    'activityCount_other': '{{count}}'
    'activityFrom': '{{address}}'
    'eventOf': '{{event}}{{name}}'
    'event': {
      'signed_up': string
      'signed_in': string
      'signed_out': string
      'sign_in_failed': string
      'password_refused': string
      'second_factor_failed': string
      'second_factor_on': string
      'second_factor_off': string
      'recovery_code_used': string
      'recovery_codes_renewed': string
      'password_changed': string
      'password_reset': string
      'password_reset_asked': string
      'email_change_asked': string
      'email_changed': string
      'email_verified': string
      'api_key_made': string
      'api_key_revoked': string
      'calendar_feed_made': string
      'calendar_feed_shown': string
      'calendar_feed_removed': string
      'session_ended': string
      'other_sessions_ended': string
      'invitation_made': string
      'invitation_revoked': string
      'invitation_redeemed': string
      'data_exported': string
      'account_deletion_asked': string
      'access_refused': string
    }
    'keysFailed': string
    'keysEmptyTitle': string
    'keysEmptyText': string
    'keyName': string
    'keyNameHint': string
    'scope': string
    'read': string
    'write': string
    'readHint': string
    'writeHint': string
    'keyEnds': string
    'keyDays_one': '{{count}}'
    'keyDays_other': '{{count}}'
    'keyNeverEnds': string
    'keyPasswordHint': string
    'createKey': string
    'keyReadyTitle': string
    'keyOnce': string
    'key': '{{name}}'
    'example': string
    'made': string
    'used': string
    'never': string
    'actions': string
    'revoke': string
    'revokeOf': '{{name}}'
    'revokeTitle': '{{name}}'
    'revokeText': string
    'revokeAction': string
    'revoked': '{{name}}'
    'revokeFailed': '{{name}}'
    'exportTitle': string
    'exportHint': string
    'exportText': string
    'exportStart': string
    'exportCollecting': string
    'exportReceived': '{{size}}'
    'exportDone': '{{name}}'
    'exportFailed': string
    'deleteHint': string
    'deleteTitle': string
    'deleted': string
    'goesTitle': string
    'goes': {
      'rows': string
      'runs': string
      'images': string
      'access': string
      'tokens': string
    }
    'staysTitle': string
    'stays': {
      'posts': string
      'people': string
      'sums': string
    }
    'deleteAction': string
    'deleteQuestion': string
    'deleteText': string
    'exportFirst': string
    'typeEmail': '{{email}}'
    'typeEmailWrong': '{{email}}'
    'keepAccount': string
  }
  accounts: {
    'title': string
    'leads': {
      'accounts': string
      'profile': string
      'notifications': string
      'security': string
      'api-keys': string
      'data': string
    }
    'newKey': string
    'sections': string
    'tab': {
      'accounts': string
      'profile': string
      'notifications': string
      'security': string
      'api-keys': string
      'data': string
    }
    'emptyTitle': string
    'emptyText': string
    'listFailed': string
    'channelsFailed': string
    'person': string
    'page': string
    'business': string
    'organisation': string
    'connected': string
    'expiresSoon': string
    'needs_reconnecting': string
    'expired': '{{network}}'
    'validUntil': '{{day}}'
    'endsSoon': '{{day}}'
    'noEnd': string
    'usedBy_zero': string
    'usedBy_one': '{{count}}'
    'usedBy_other': '{{count}}'
    'lastPost': '{{when}}'
    'notUsed': string
    'reconnect': string
    'more': '{{name}}'
    'check': {
      'action': string
      'short': string
      'title': '{{name}}'
      'asking': '{{network}}'
      'failed': string
      'allFine': string
      'notAll': string
      'notSure': string
      'again': string
      'point': {
        'access': string
        'permissions': string
        'role': string
        'quota': string
        'media': string
        'clock': string
      }
      'result': {
        'fine': string
        'broken': string
        'unsure': string
      }
    }
    'scope': {
      'openid': string
      'profile': string
      'r_basicprofile': string
      'w_member_social': string
      'r_organization_social': string
      'w_organization_social': string
      'rw_organization_admin': string
      'pages_show_list': string
      'pages_read_engagement': string
      'pages_manage_posts': string
      'instagram_basic': string
      'instagram_content_publish': string
      'read_accounts': string
      'read_statuses': string
      'write_media': string
      'write_statuses': string
    }
    'disconnect': string
    'disconnectTitle': '{{name}}'
    'disconnectText_zero': string
    'disconnectText_one': '{{count}}'
    'disconnectText_other': '{{count}}'
    'disconnectAction': string
    'disconnected': '{{name}}'
    'accessWaiting': '{{network}}'
    'accessRefused': '{{network}}'
    'disconnectFailed': '{{name}}'
    'connectTitle': string
    'connectAnother': string
    'connectHint': '{{network}}'
    'formHint': string
    'hintOf': {
      'linkedin': string
      'linkedin_pages': string
      'facebook': string
      'instagram': string
      'mastodon': string
    }
    'formTitle': '{{network}}'
    'goThere': string
    'connect': string
    'field': {
      'server': string
      'handle': string
      'app_password': string
      'host': string
      'site': string
      'username': string
      'admin_key': string
      'endpoint': string
      'secret': string
      'site_name': string
      'address': string
    }
    'fieldOf': {
      'wordpress': {
        'app_password': string
      }
    }
    'examples': {
      'site': string
      'endpoint': string
      'site_name': string
      'address': string
    }
    'fieldHelp': {
      'server': string
      'handle': string
      'app_password': string
      'host': string
      'site': string
      'username': string
      'admin_key': string
      'endpoint': string
      'secret': string
      'site_name': string
      'address': string
      'addressBecomes': '{{path}}'
      'addressNothing': string
      'addressFixed': string
    }
    'fieldHelpOf': {
      'wordpress': {
        'app_password': string
      }
    }
    'choose': string
    'chooseTitle': '{{network}}'
    'chooseText': string
    'chooseMore': '{{names}}'
    'alreadyConnected': string
    'connectChosen_zero': string
    'connectChosen_one': '{{count}}'
    'connectChosen_other': '{{count}}'
    'notConfigured': '{{settings}}'
    'comingSoon': string
    'startFailed': string
    'connectingTitle': '{{network}}'
    'connectingText': '{{network}}'
    'connectedTitle': '{{network}}'
    'connectedText': '{{names}}'
    'deniedTitle': string
    'expiredTitle': string
    'deniedText': '{{network}}'
    'expiredText': string
    'usedTitle': string
    'usedText': '{{network}}'
    'failedTitle': '{{network}}'
    'nothingHere': string
    'back': string
    'startAgain': string
  }
  approvals: {
    'tab': string
    'title': string
    'by': {
      'post': '{{assistant}}{{topic}}'
      'article': '{{assistant}}{{topic}}'
    }
    'byHand': {
      'post': '{{topic}}'
      'article': '{{topic}}'
    }
    'goesOut': string
    'atOnce': string
    'zone': '{{when}}{{zone}}'
    'accounts': string
    'website': string
    'left': '{{time}}'
    'asShown': string
    'demo': string
    'asIn': '{{account}}{{network}}'
    'edit': string
    'editHint': string
    'notSaved': string
    'loadFailed': string
    'toPost': string
    'toApprovals': string
    'over': {
      'approved': {
        'title': string
        'text': '{{when}}'
      }
      'approvedAtOnce': {
        'title': string
        'text': '{{when}}'
      }
      'approvedByDeadline': {
        'title': string
        'text': '{{when}}'
      }
      'declined': {
        'title': string
        'text': '{{when}}'
      }
      'expired': {
        'title': string
        'text': string
      }
      'expiredKept': {
        'title': string
        'text': string
      }
      'outdated': {
        'title': string
        'text': string
      }
      'withdrawn': {
        'title': string
        'text': string
      }
      'invalid': {
        'title': string
        'text': string
      }
    }
  }
  articles: {
    'editor': {
      'new': string
      'titleField': string
      'titleHint': string
      'text': string
      'textHint': string
      'view': string
      'views': {
        'write': string
        'preview': string
        'both': string
      }
      'tools': string
      'tool': {
        'bold': string
        'italic': string
        'heading': string
        'link': string
        'list': string
        'numbered': string
        'quote': string
        'code': string
        'image': string
        'undo': string
        'redo': string
      }
      'withKey': '{{key}}{{name}}'
      'sample': {
        'bold': string
        'italic': string
        'heading': string
        'link': string
        'code': string
      }
      'address': string
      'pickImage': string
      'noAlt': string
      'preview': string
      'previewEmpty': string
      'previewFailed': string
      'reading_one': '{{count, number}}'
      'reading_other': '{{count, number}}'
      'leaveEditor': string
      'where': string
      'website': string
      'noWebsite': string
      'planned': string
      'decideUntil': string
      'atOnce': string
      'leftOut': '{{time}}'
      'timeZone': string
      'language': string
      'featured': string
      'featuredHint': string
      'chooseImage': string
      'changeImage': string
      'takeImage': string
      'altText': string
      'altHint': string
      'about': string
      'slug': string
      'slugHint': string
      'fromTitle': string
      'summary': string
      'summaryHint': string
      'tags': string
      'categories': string
      'search': string
      'seoTitle': string
      'seoTitleHint': string
      'seoDescription': string
      'seoDescriptionHint': string
      'shown': '{{length, number}}{{limit, number}}'
      'shownOver': '{{length, number}}{{limit, number}}'
      'more': string
      'moreSays': string
      'canonical': string
      'canonicalHint': string
      'publish': string
      'goesOutNow': string
      'scheduled': '{{when}}'
      'later': string
      'publishText': '{{name}}'
      'publishHeld': '{{name}}'
      'kept': string
      'newer': string
      'gone': string
      'delete': string
      'moreActions': string
      'edit': string
      'toArticle': string
      'openPage': string
      'facts': string
      'changedThere': string
      'assistant': string
      'run': string
      'toRun': string
      'published': string
      'writtenBy': string
      'person': string
      'demoWriter': string
      'created': string
      'slugFact': string
      'noText': string
      'partsFailed': string
      'siteAway': '{{name}}'
      'siteAwayText': string
      'toSite': string
      'publishTitle': string
      'tagsFact': string
      'summaryFact': string
      'seoTitleFact': string
      'seoDescriptionFact': string
      'canonicalFact': string
      'atSite': {
        'update': string
        'asked': string
        'takenDown': '{{when}}'
        'savedHere': '{{time}}'
        'savesItself': string
        'done': string
        'fixed': string
      }
    }
    'atSite': {
      'differs': string
      'differsText': string
      'unsure': string
      'unsureText': string
      'waiting': string
      'waitingText': string
      'asksAgain': string
      'asksAgainText': '{{when}}'
      'failed': string
      'website': string
      'said': '{{detail}}'
      'unseen': string
      'unseenText': '{{status}}'
      'renamed': '{{asked}}{{slug}}'
      'again': string
      'discard': string
      'discardTitle': string
      'discardText': string
      'discarded': string
      'discardFailed': string
      'updateFailed': string
      'takeDown': string
      'takeDownTitle': string
      'takeDownText': '{{name}}'
      'takeDownFailed': string
      'readAgain': string
      'searchCategories': string
      'categoryGone': '{{name}}'
      'noCategories': string
      'categoriesOld': string
      'readAt': '{{when}}'
    }
    'writer': {
      'open': string
      'openAgain': string
      'flowTitle': string
      'steps': {
        'outline': string
        'sections': string
        'summary': string
        'search': string
      }
      'sectionsDone': '{{count, number}}{{done, number}}'
      'writeOutline': string
      'otherOutline': string
      'writeSections': string
      'goOn': string
      'writeSummary': string
      'writeSearch': string
      'summaryAgain': string
      'searchAgain': string
      'writesSection': '{{heading}}'
      'headings': string
      'heading': '{{number, number}}'
      'up': '{{heading}}'
      'down': '{{heading}}'
      'remove': '{{heading}}'
      'further': string
      'add': string
      'removed': string
      'newVersion': string
      'shownFirst': string
      'replaces': string
      'replacesText': string
      'take': string
      'discard': string
      'back': string
      'undone': string
      'moved': string
      'noText': string
      'remark': string
      'remarkOptional': string
      'remarkOutline': string
      'remarkField': string
      'remarkRevision': string
      'remarkSection': string
      'changeBrief': string
      'writeAgain': string
      'onceMore': string
      'again': {
        'passage': string
        'section': '{{heading}}'
        'outline': string
        'summary': string
        'search': string
        'revision': string
      }
      'choose': {
        'passage': string
        'noPassage': string
        'section': '{{heading}}'
        'noSection': string
        'outline': string
        'summary': string
        'search': string
        'revision': string
      }
      'done': {
        'outline': string
        'sections': string
        'summary': string
        'search': string
        'revision': string
        'image': string
      }
      'failed': {
        'outline': string
        'sections': string
        'summary': string
        'search': string
      }
      'atWork': {
        'outline': string
        'section': '{{count, number}}{{number, number}}'
        'summary': string
        'search': string
      }
      'demo': string
      'tokens_one': '{{count, number}}'
      'tokens_other': '{{count, number}}'
      'costUnknown': string
      'onBudget': string
    }
    'writing': {
      'title': string
      'by': '{{name}}'
      'run': string
      'later': string
      'again': string
      'section': '{{count}}{{number}}'
      'sections_one': '{{count}}'
      'sections_other': '{{count}}'
      'nowSection': '{{count}}{{number}}'
      'now': {
        'topic': string
        'outline': string
        'text': string
        'summary': string
        'search': string
        'image': string
        'check': string
      }
      'steps': {
        'outline': string
        'text': string
        'summary': string
        'search': string
        'image': string
        'check': string
      }
    }
    'title': string
    'lead': string
    'article': string
    'write': string
    'writeFor': string
    'list': string
    'notTakenDown': string
    'search': string
    'all': string
    'status': string
    'website': string
    'anyWebsite': string
    'siteGone': string
    'when': string
    'words': string
    'length': string
    'wordCount_one': '{{count, number}}'
    'wordCount_other': '{{count, number}}'
    'updated': string
    'noTitle': string
    'notPlanned': string
    'waitsUntil': '{{when}}'
    'goesOut': '{{when}}'
    'outAt': '{{when}}'
    'sort': string
    'sorts': {
      'planned_next': string
      'planned_latest': string
      'planned_earliest': string
      'created_latest': string
      'created_earliest': string
      'updated_latest': string
      'updated_earliest': string
    }
    'count_one': '{{count, number}}{{shown, number}}'
    'count_other': '{{count, number}}{{shown, number}}'
    'noMatch': '{{search}}'
    'noMatchFilters': string
    'emptyTitle': string
    'emptyText': string
    'emptyAssistant': string
    'emptySite': string
    'noSiteText': string
    'connectSite': string
    'listFailed': string
    'readFailed': string
    'deleted': string
    'restored': string
    'deleteFailed': string
    'restoreFailed': string
  }
  assistants: {
    'form': {
      'newTitle': string
      'newLead': string
      'loadFailed': string
      'saveNew': string
      'save': string
      'saveAndActivate': string
      'saved': string
      'created': '{{name}}'
      'savedLater': string
      'kept': string
      'restored': string
      'saveErrors': string
      'staleTitle': string
      'staleFailed': string
      'staleText': string
      'takeTheirs': string
      'keepMine': string
      'missing': string
      'writesFor': string
      'writesForHint': string
      'forNetworks': string
      'forNetworksText': string
      'forWebsite': string
      'forWebsiteText': string
      'website': string
      'websitePlaceholder': string
      'websiteHint': string
      'websiteTaken': '{{by}}{{name}}'
      'websiteAway': '{{name}}'
      'websiteRequired': string
      'noWebsites': string
      'connectWebsite': string
      'noWebsitesLoaded': string
      'about': string
      'aboutHint': string
      'name': string
      'tags': string
      'tagsHint': string
      'topicTree': string
      'topicTreePlaceholder': string
      'topicTreeOption_one': '{{count}}{{name}}'
      'topicTreeOption_other': '{{count}}{{name}}'
      'noTopicTrees': string
      'makeTopicTree': string
      'picking': string
      'noRepeat': string
      'noRepeatHint': {
        'post': '{{count}}'
        'article': '{{count}}'
      }
      'noRepeatSays': {
        'post_zero': string
        'post_one': '{{count}}'
        'post_other': '{{count}}'
        'article_zero': string
        'article_one': '{{count}}'
        'article_other': '{{count}}'
      }
      'strategy': string
      'strategies': {
        'least_recent': string
        'in_order': string
        'weighted_random': string
      }
      'pickFrom': string
      'picksFrom': {
        'leaves': string
        'all': string
      }
      'template': string
      'templatePlaceholder': string
      'templateOption': '{{name}}{{number}}'
      'noTemplates': string
      'noImageTemplates': string
      'makeTemplate': string
      'newer': '{{number}}'
      'takeNewer': '{{number}}'
      'language': {
        'post': string
        'article': string
      }
      'variables': string
      'variablesHint': string
      'oldVersion': string
      'ending': {
        'title': string
        'policy': string
        'policies': {
          'as_written': string
          'none': string
          'at_most': string
        }
        'says': {
          'as_written': string
          'none': string
          'at_most': string
        }
        'saysMost_one': '{{count}}'
        'saysMost_other': '{{count}}'
        'saysNoLink': string
        'most': string
        'mostHint': string
        'always': string
        'alwaysHint': string
        'link': string
        'linkHint': string
        'example': string
        'before': string
        'after': string
        'room_one': '{{count}}'
        'room_other': '{{count}}'
        'sample': string
      }
      'image': string
      'imageHint': {
        'post': string
        'article': string
      }
      'imageSource': string
      'imageSources': {
        'none': string
        'template': string
        'own': string
      }
      'ownImages': string
      'imageOrder': string
      'imageOrders': {
        'in_turn': string
        'random': string
      }
      'imageTemplate': string
      'imageFallback': string
      'imageFallbackHint': string
      'imageFallbacks': {
        'ask': string
        'card': string
        'without': string
      }
      'when': string
      'whenHint': string
      'frequency': string
      'frequencies': {
        'daily': string
        'weekly': string
        'monthly': string
        'interval': string
        'cron': string
      }
      'days': string
      'daysOfMonth': string
      'monthEnd': string
      'monthEnds': {
        'last_day': string
        'skip': string
      }
      'everyDays': string
      'everyDaysHint': string
      'times': string
      'addTime': string
      'newTime': string
      'timePlaceholder': string
      'timeExists': '{{time}}'
      'removeTime': '{{time}}'
      'cron': string
      'cronHint': string
      'cronSays': '{{text}}'
      'timeZone': string
      'startDate': string
      'startDateOptional': string
      'endDate': string
      'lead': string
      'catchUp': string
      'catchUpHint': {
        'post': '{{count}}{{most}}'
        'article': '{{count}}{{most}}'
      }
      'leadHint': {
        'post': '{{count}}'
        'article': '{{count}}'
      }
      'next_one': string
      'next_other': '{{count}}'
      'nextNone': string
      'nextOver': string
      'nextLoading': string
      'nextFailed': string
      'leftOut': {
        'title': string
        'saysNone': string
        'saysHolidays': '{{country}}'
        'saysDates_one': '{{count}}'
        'saysDates_other': '{{count}}'
        'saysMost_one': '{{count}}'
        'saysMost_other': '{{count}}'
        'holidays': string
        'holidaysHint': string
        'noHolidays': string
        'noCountry': string
        'region': string
        'regionHint': string
        'wholeCountry': string
        'dates': string
        'first': string
        'last': string
        'add': string
        'remove': '{{dates}}'
        'needsFirst': string
        'most': {
          'post': string
          'article': string
        }
        'mostHint': string
      }
      'budget': {
        'label': string
        'hint': string
        'units': {
          'none': string
          'money': string
          'tokens': string
        }
        'amount': '{{currency}}'
        'tokens': string
      }
      'where': string
      'whereHint': string
      'accounts': string
      'noAccounts': string
      'connect': string
      'needsLogin': string
      'dryRun': {
        'title': string
        'hint': {
          'post': string
          'article': string
        }
        'open': {
          'post': string
          'article': string
        }
        'start': string
        'again': string
        'topic': string
        'nextTopic': string
        'cost': {
          'post': string
          'article': string
        }
        'free': string
        'onBudget': string
        'noTree': string
        'noWebsite': string
        'queued': string
        'writing': '{{topic}}'
        'planning': '{{topic}}'
        'drawing': string
        'retry': '{{attempt}}'
        'nextTry': '{{wait}}'
        'failed': string
        'startFailed': string
        'cancel': string
        'cancelFailed': string
        'cancelled': string
        'noImage': string
        'demo': string
        'outlineDemo': string
        'about': string
        'headings': string
        'noHeadings': string
        'whole_one': '{{count}}'
        'whole_other': '{{count}}'
        'on': '{{name}}{{network}}'
        'noAccount': string
        'you': string
        'tokens': string
        'costLabel': string
        'unknown': string
        'took': string
      }
      'alone': string
      'aloneHint': string
      'mode': string
      'modeDraft': string
      'modeDraftText': string
      'modeAsk': string
      'modeAskText': string
      'atDeadline': string
      'atDeadlines': {
        'hold': string
        'skip': string
        'publish': string
      }
      'atDeadlineHint': {
        'post': string
        'article': string
      }
      'veto': string
      'vetoHint': {
        'post': string
        'article': string
      }
      'vetoNone': string
      'vetoFor': '{{time}}'
      'vetoMinutes_one': '{{count}}'
      'vetoMinutes_other': '{{count}}'
      'vetoHours_one': '{{count}}'
      'vetoHours_other': '{{count}}'
      'modeAutomatic': string
      'modeAutomaticText': string
    }
    'saveFailed': string
    'configurationFailed': string
    'unnamed': string
    'switchFailed': '{{name}}{{reason}}'
    'scheduleDaily': '{{times}}'
    'scheduleOnDays': '{{days}}{{times}}'
    'scheduleMonthly_one': '{{days}}{{times}}'
    'scheduleMonthly_other': '{{days}}{{times}}'
    'scheduleInterval_one': '{{times}}'
    'scheduleInterval_other': '{{count}}{{times}}'
    'cron': {
      'everyDay': string
      'onWeekdays': '{{days}}'
      'onDays_one': '{{days}}'
      'onDays_other': '{{days}}'
      'either': '{{days}}{{weekdays}}'
      'range': '{{first}}{{last}}'
      'at': '{{times}}'
      'everyMinutes_one': string
      'everyMinutes_other': '{{count}}'
      'fromMinute': '{{minute}}'
      'inHours': '{{hours}}'
      'minutesOfHours': '{{hours}}{{minutes}}'
      'minutesOfEveryHour': '{{minutes}}'
      'inMonths': '{{months}}'
    }
    'lead': string
    'create': string
    'search': string
    'clearFilters': string
    'filterAll': string
    'listLabel': string
    'column': string
    'columnChannels': string
    'columnNext': string
    'columnLast': string
    'columnState': string
    'columnSwitch': string
    'switchLabel': '{{name}}'
    'total_one': '{{count}}'
    'total_other': '{{count}}'
    'loadFailed': string
    'nothingFound': '{{search}}'
    'nothingInFilter': string
    'noSchedule': string
    'notPlanned': string
    'neverRan': string
    'noChannels': string
    'draftsOnly': string
    'scheduleOver': string
    'pending': string
    'thingsMissing_one': string
    'thingsMissing_other': '{{count}}'
    'whenApproved': string
    'decideUntil': '{{when}}'
    'needsLogin': {
      'post': string
      'article': string
    }
    'preparingNow': string
    'publishingNow': string
    'active': string
    'inactive': string
    'activating': string
    'pausedItself': string
    'paused': string
    'notYet': string
    'notYetText': string
    'demoActivate': string
    'demoQuestion': '{{name}}'
    'demoAsks': string
    'demoTexts': string
    'activateLater': string
    'emptyTitle': string
    'emptyText': string
    'emptyAction': string
    'emptyOther': string
    'deactivateQuestion': '{{name}}'
    'deactivatePublish': string
    'deactivateCancel': string
    'preparedText': {
      'post': '{{when}}'
      'article': '{{when}}'
    }
    'oneLoadFailed': string
    'edit': string
    'activate': string
    'deactivate': string
    'more': string
    'delete': string
    'deletePublish': string
    'deleteCancel': string
    'deleteQuestion': '{{name}}'
    'deleteText': {
      'post': string
      'article': string
    }
    'deleteOnlyInactive': string
    'deleted': {
      'post': '{{name}}'
      'article': '{{name}}'
    }
    'deleteFailed': '{{name}}{{reason}}'
    'tabs': string
    'tabOverview': string
    'tabPosts': string
    'tabArticles': string
    'tabRuns': string
    'tabConfiguration': string
  }
  billing: {
    'subscription': {
      'none': string
      'trial_one': string
      'trial_other': '{{count}}'
      'active': string
      'canceledUntil': '{{day}}'
      'canceled': string
      'paymentFailed': string
      'activePaymentFailed': string
      'lockedPaymentFailed': string
      'rests': string
      'fetchFailed': string
      'refreshFailed': string
      'verifyFailed': string
      'selfHosted': string
      'selfHostedTitle': string
      'selfHostedText': string
      'noneTitle': string
      'noneText': string
      'trialOffer_one': string
      'trialOffer_other': '{{count}}'
      'trialOfferText': string
      'costsAfterTrial': '{{price}}'
      'costs': '{{price}}'
      'trialTitle_one': string
      'trialTitle_other': '{{count}}'
      'trialText': '{{day}}'
      'trialPaidText': '{{day}}'
      'trialPrice': '{{price}}'
      'activeTitle': string
      'activeText': '{{amount}}{{day}}'
      'activeTextUnpriced': '{{day}}'
      'pastDueTitle': string
      'pastDueText': '{{when}}'
      'pastDueOverTitle': string
      'pastDueOverText': '{{when}}'
      'pastDueEnds': '{{day}}'
      'untilTitle': '{{day}}'
      'untilText': string
      'endedTitle': '{{day}}'
      'endedTitleUndated': string
      'endedText': string
      'stoppedTitle': string
      'stoppedText': string
      'startTrial': string
      'subscribe': string
      'subscribeAgain': string
      'manage': string
      'cancel': string
      'cancelTrial': string
      'resume': string
      'see': string
      'refresh': string
      'cancelQuestion': string
      'cancelText': '{{day}}'
      'cancelTextUndated': string
      'cancelPastDueText': '{{day}}'
      'cancelTrialQuestion': string
      'keep': string
      'keepTrial': string
      'canceledToast': '{{day}}'
      'canceledToastUndated': string
      'resumedToast': string
      'checkoutFailed': string
      'portalFailed': string
      'cancelFailed': string
      'resumeFailed': string
      'verifying': string
      'verifyingText': string
      'succeededTrial': string
      'succeededTrialText': '{{day}}'
      'succeeded': string
      'succeededText': string
      'checkoutCanceled': string
      'checkoutCanceledText': string
      'checkoutIncomplete': string
      'checkoutIncompleteText': string
      'startAgain': string
      'dismiss': string
      'pausedBanner_one': string
      'pausedBanner_other': '{{count, number}}'
      'pausedText_one': string
      'pausedText_other': string
      'pausedReady_one': string
      'pausedReady_other': '{{count, number}}'
      'pausedReadyText': string
      'resumeAssistants_one': string
      'resumeAssistants_other': '{{count, number}}'
      'assistantsResumed_one': string
      'assistantsResumed_other': '{{count, number}}'
      'assistantsLeft_one': string
      'assistantsLeft_other': '{{count, number}}'
      'assistantsFailed': string
      'pastDueBanner': string
      'pastDueBannerText': '{{when}}'
      'pastDueOverBannerText': string
      'billing': string
      'status': string
      'price': string
      'trialDaysLeft': string
      'firstBilling': string
      'nextBilling': string
      'endDate': string
      'asOf': '{{when}}'
      'knownFrom': '{{ago}}{{when}}'
      'knownUndated': string
      'per': {
        'day_one': '{{price}}'
        'day_other': '{{count}}{{price}}'
        'week_one': '{{price}}'
        'week_other': '{{count}}{{price}}'
        'month_one': '{{price}}'
        'month_other': '{{count}}{{price}}'
        'year_one': '{{price}}'
        'year_other': '{{count}}{{price}}'
      }
      'unlocks': '{{month}}'
      'unlocksMore': '{{month}}'
      'included': string
      'without': string
      'with': string
      'usedHead': string
      'everything': string
      'yes': string
      'unlimited': string
      'assistants': string
      'posts': string
      'calls': string
      'budgets': string
      'usedOf': '{{allowed}}{{used}}'
      'usedBeyondPlan': '{{allowed}}{{used}}'
      'usedBeyondFree': '{{allowed}}{{used}}'
      'usedUp': string
      'costsIn': '{{month}}'
      'all': string
      'forCalls_one': '{{count, number}}'
      'forCalls_other': '{{count, number}}'
      'noCalls': string
      'unknown': string
      'unpriced_one': '{{count, number}}'
      'unpriced_other': '{{count, number}}'
    }
    'transactions': {
      'title': string
      'lead': string
      'listFailed': string
      'sumsFailed': string
      'readFailed': string
      'download': string
      'downloadFailed': string
      'emptyTitle': string
      'emptyText': string
      'noMatch': string
      'count_one': '{{count, number}}{{shown, number}}'
      'count_other': '{{count, number}}{{shown, number}}'
      'period': string
      'periods': {
        'month': string
        'lastMonth': string
        'thirtyDays': string
        'twelveMonths': string
        'own': string
      }
      'from': string
      'to': string
      'all': string
      'types': {
        'text': string
        'image': string
      }
      'onlyFailed': string
      'onlyUnpriced': string
      'model': string
      'layout': string
      'anyModel': string
      'card': '{{layout}}'
      'demoWriter': string
      'assistant': string
      'anyAssistant': string
      'cause': string
      'anyCause': string
      'causes': {
        'run': string
        'tryout': string
        'suggestion': string
        'post': string
      }
      'sort': string
      'sorts': {
        'latest': string
        'earliest': string
        'dearest': string
      }
      'cost': string
      'calls': string
      'callsOf_one': '{{count, number}}'
      'callsOf_other': '{{count, number}}'
      'callsFailed_one': '{{count, number}}'
      'callsFailed_other': '{{count, number}}'
      'noneFailed': string
      'unpriced_one': '{{count, number}}'
      'unpriced_other': '{{count, number}}'
      'allPriced': string
      'unpricedAll': string
      'inputTokens': string
      'cachedTokens': '{{count, number}}'
      'uncounted_one': '{{count, number}}'
      'uncounted_other': '{{count, number}}'
      'outputTokens': string
      'images_one': '{{count, number}}'
      'images_other': '{{count, number}}'
      'unknown': string
      'atMost': '{{cost}}'
      'byDay': string
      'noCost': string
      'nothingSpent': string
      'byType': string
      'byModel': string
      'byAssistant': string
      'noAssistant': string
      'only': '{{name}}'
      'each': string
      'time': string
      'what': string
      'tokens': string
      'inOut': '{{input}}{{output}}'
      'outcome': string
      'duration': string
      'gone': string
      'whats': {
        'run': {
          'post': string
          'article': string
          'both': string
        }
        'tryout': string
        'suggestion': string
        'post': {
          'post': string
          'article': string
          'both': string
        }
      }
      'outcomes': {
        'calling': string
        'succeeded': string
        'refused': string
        'incomplete': string
        'failed': string
        'lost': string
      }
      'outcomeTexts': {
        'calling': string
        'succeeded': string
        'refused': string
        'incomplete': string
        'failed': string
        'lost': string
      }
      'used': string
      'wasFor': string
      'post': string
      'article': string
      'template': string
      'tree': string
      'provider': string
      'cached': string
      'imagesMade': string
      'open': string
      'type': string
      'reserved': string
      'reservedTokens': '{{input}}{{output}}'
      'requestId': string
      'price': string
      'priceSince': string
      'perMillion': '{{price}}'
      'inputPrice': string
      'cachedPrice': string
      'asInput': string
      'outputPrice': string
      'longContext': '{{tokens}}'
      'longFactors': '{{input}}{{output}}'
      'noPrice': string
      'priceNotKept': string
      'priceLater': string
      'free': string
    }
  }
  calendar: {
    'title': string
    'newPost': string
    'today': string
    'view': string
    'views': {
      'month': string
      'week': string
      'day': string
      'agenda': string
    }
    'hourTitle': '{{when}}'
    'previous': {
      'month': string
      'week': string
      'day': string
      'agenda': string
    }
    'next': {
      'month': string
      'week': string
      'day': string
      'agenda': string
    }
    'channel': string
    'anyChannel': string
    'assistant': string
    'anyAssistant': string
    'status': string
    'anyStatus': string
    'showSlots': string
    'filters': string
    'filtersSet': '{{count, number}}'
    'filtersTitle': string
    'showFound_one': '{{count, number}}'
    'showFound_other': '{{count, number}}'
    'decideUntil': '{{when}}'
    'by': '{{time}}'
    'slotWord': string
    'slots': string
    'slotOfAssistant': string
    'preparing': string
    'short': {
      'publishing': string
      'failed': string
      'waiting': string
    }
    'legend': string
    'noText': string
    'more_one': '{{count, number}}'
    'more_other': '{{count, number}}'
    'nothing': string
    'emptyTitle': string
    'emptyText': string
    'toAssistants': string
    'noMatch': string
    'listFailed': string
    'cutTitle_one': '{{count, number}}'
    'cutTitle_other': '{{count, number}}'
    'cut': string
    'cutDay': string
    'leftOut': '{{assistants}}'
    'leftOutFor': '{{assistants}}{{holiday}}'
    'leftOutShort': string
    'leftOutSign': string
    'clockChange': '{{minutes, number}}'
    'clockShort': string
    'openDay': '{{day}}'
    'others_one': '{{count}}{{until}}'
    'others_other': '{{count}}{{until}}'
    'othersThen_one': '{{count}}'
    'othersThen_other': '{{count}}'
    'various': string
    'inZone': '{{time}}{{zone}}'
    'move': string
    'moveOf': '{{post}}'
    'moveTitle': {
      'post': string
      'article': string
    }
    'moveAction': {
      'post': string
      'article': string
    }
    'when': string
    'zone': '{{zone}}'
    'keys': {
      'post': string
      'article': string
    }
    'moved': '{{when}}'
    'repeats': string
    'movedLater': '{{when}}'
    'undo': string
    'notMoved': '{{reason}}'
    'fixed': '{{reason}}'
    'slot': {
      'title': {
        'post': string
        'article': string
      }
      'skippedTitle': string
      'when': string
      'theirTime': string
      'channels': string
      'noChannel': string
      'assistant': string
      'skip': string
      'notNext': {
        'post': string
        'article': string
      }
      'unskip': string
      'run': string
      'runText': {
        'post': string
        'article': string
      }
      'open': string
    }
    'feed': {
      'subscribe': string
      'title': string
      'lead': string
      'address': string
      'secret': string
      'since': '{{when}}'
      'make': string
      'makeText': string
      'show': string
      'showText': '{{when}}'
      'renew': string
      'renewText': string
      'renewAction': string
      'off': string
      'offTitle': string
      'offText': string
      'offAction': string
    }
  }
  cards: {
    'layouts': {
      'number': string
      'quote': string
      'steps': string
      'event': string
      'statement': string
    }
    'fonts': {
      'schibsted': string
      'source_sans': string
      'source_serif': string
      'zilla_slab': string
    }
    'palettes': {
      'petrol': string
      'saffron': string
      'paper': string
      'night': string
      'mist': string
      'clay': string
      'plum': string
    }
    'notes': {
      'ink_switched': string
      'text_shrunk': string
      'text_cut': string
      'characters_dropped': string
      'other': string
    }
    'title': string
    'lead': string
    'readFailed': string
    'goneTitle': string
    'goneText': string
    'optionsFailed': string
    'automatic': string
    'headline': string
    'headlineHint': string
    'text': string
    'textHint': string
    'layout': string
    'layoutHint': string
    'chosenLayout': '{{layout}}'
    'ratio': string
    'font': string
    'colours': string
    'ground': string
    'ink': string
    'accent': string
    'shade': string
    'hue': string
    'colourHalf': string
    'logo': string
    'logoTitle': string
    'noLogo': string
    'chooseLogo': string
    'changeLogo': string
    'removeLogo': string
    'deletedLogo': string
    'logoThin': '{{ratio, number}}'
    'logoKept': string
    'foot': string
    'footHint': string
    'preset': string
    'noPreset': string
    'noPresets': string
    'leavePreset': string
    'presetMenu': string
    'presetNew': string
    'presetHint': string
    'presetSave': '{{name}}'
    'presetRename': string
    'presetDelete': string
    'presetName': string
    'presetStore': string
    'presetSaved': '{{name}}'
    'presetDeleted': '{{name}}'
    'presetDeleteFailed': string
    'presetFailed': string
    'preview': string
    'wordless': string
    'stageSize': '{{height}}{{width}}'
    'keep': string
    'altHint': string
    'save': string
    'saveFailed': string
    'startOver': string
    'kept': string
  }
  common: {
    'charts': {
      'day': string
      'asTable': string
      'asChart': string
      'summary_one': '{{count}}{{name}}{{sums}}'
      'summary_other': '{{count}}{{name}}{{sums}}'
      'highest': '{{day}}{{value}}'
    }
    'skip': string
    'language': string
    'languages': {
      'en': string
      'de': string
    }
    'lightMode': string
    'darkMode': string
    'switchToLight': string
    'switchToDark': string
    'showPassword': string
    'optional': string
    'breadcrumb': string
    'loading': string
    'loadingLong': string
    'tryAgain': string
    'close': string
    'cancel': string
    'undo': string
    'done': string
    'ctrl': string
    'copy': string
    'copied': string
    'marked': string
    'clear': string
    'fieldsToCorrect_one': string
    'fieldsToCorrect_other': '{{count}}'
    'notSavedYet': string
    'unsavedChanges_one': string
    'unsavedChanges_other': '{{count}}'
    'changesKept': string
    'discard': string
    'save': string
    'saved': string
    'discarded': string
    'newerText': string
    'keepMine': string
    'pageNotFound': string
    'pageNotFoundText': string
    'goBack': string
    'goHome': string
    'screenFailed': string
    'screenFailedText': string
    'languageMissing': string
    'languageNotSaved': string
    'transport': {
      'unreachable': '{{place}}'
      'late': '{{place}}'
      'brokenOff': '{{place}}'
      'unreadable': '{{place}}'
    }
    'partMissing': string
    'partMissingText': string
    'tooMany': '{{time}}'
    'loadMore': string
    'clearFilters': string
    'reload': string
    'tag': string
    'anyTag': string
    'drafts': {
      'timeMissing': string
      'schedule': string
      'saveDraft': string
      'approve': string
      'approved': string
      'saved': string
      'saving': string
      'notSaved': string
      'triesAgain': string
      'draftSaved': '{{time}}'
      'draftKept': string
      'savesItself': string
      'saveFailed': string
      'notOut': string
      'loadNewer': string
      'both': string
      'theirs': string
      'mine': string
      'nothingThere': string
      'onlyTheirs': '{{fields}}'
      'loadedNewer': string
      'goneText': string
      'asNew': string
      'notSavedWhy': '{{why}}'
    }
    'status': {
      'draft': string
      'waiting': string
      'complete': string
      'completeFor': '{{when}}'
      'scheduled': string
      'publishing': string
      'retrying': string
      'held': string
      'published': string
      'unknown': string
      'failed': string
      'missed': string
      'skipped': string
      'writing': string
      'not_updated': string
      'not_deleted': string
    }
    'validation': {
      'name': string
      'timeZone': string
      'day': string
      'timeSlot': string
      'budget': string
      'channel': string
      'topicTree': string
      'contentTemplate': string
      'distributionChannel': string
    }
  }
  dashboard: {
    'next': {
      'post': '{{channels}}{{day}}{{time}}'
      'article': '{{channels}}{{day}}{{time}}'
    }
    'nextIfApproved': {
      'post': '{{channels}}{{day}}{{time}}'
      'article': '{{channels}}{{day}}{{time}}'
    }
    'nextAnywhere': '{{day}}{{time}}'
    'nextDraft': '{{day}}{{time}}'
    'nothingPlanned': string
    'needsYou_one': string
    'needsYou_other': '{{number}}'
    'numbers': {
      '2': string
      '3': string
      '4': string
      '5': string
      '6': string
      '7': string
      '8': string
      '9': string
      '10': string
      '11': string
      '12': string
    }
    'newPost': string
    'noText': string
    'newAssistant': string
    'loadFailed': string
    'tilePublished': string
    'publishedMore_one': '{{count, number}}'
    'publishedMore_other': '{{count, number}}'
    'publishedFewer_one': '{{count, number}}'
    'publishedFewer_other': '{{count, number}}'
    'publishedSame': string
    'publishedNone': string
    'tileNeeds': string
    'tileNeedsNone': string
    'tileNeedsSub': string
    'tileSuccess': string
    'settledNone': string
    'settledAll_one': string
    'settledAll_other': '{{count, number}}'
    'settledSome_one': '{{count, number}}'
    'settledSome_other': '{{count, number}}'
    'unclear_one': '{{count, number}}'
    'unclear_other': '{{count, number}}'
    'settledFailed_one': '{{count, number}}{{failed}}'
    'settledFailed_other': '{{count, number}}{{failed}}'
    'skipped_one': '{{count, number}}'
    'skipped_other': '{{count, number}}'
    'leftOutOthers_one': '{{count, number}}'
    'leftOutOthers_other': '{{count, number}}'
    'missed_one': '{{count, number}}'
    'missed_other': '{{count, number}}'
    'tileReady': string
    'tileNoDrafts': string
    'tileDrafts_one': '{{count, number}}'
    'tileDrafts_other': '{{count, number}}'
    'tileCost': string
    'tokens_one': '{{count, number}}'
    'tokens_other': '{{count, number}}'
    'costUnknown': string
    'costPartly': string
    'needs': string
    'needsNothing': string
    'several': {
      'post_one': '{{count, number}}'
      'post_other': '{{count, number}}'
      'article_one': '{{count, number}}'
      'article_other': '{{count, number}}'
      'both_one': '{{count, number}}'
      'both_other': '{{count, number}}'
    }
    'severalText': {
      'post': string
      'article': string
      'both': string
    }
    'settle': string
    'failedPosts': {
      'post_one': '{{count, number}}'
      'post_other': '{{count, number}}'
      'article_one': '{{count, number}}'
      'article_other': '{{count, number}}'
      'both_one': '{{count, number}}'
      'both_other': '{{count, number}}'
    }
    'openAll': {
      'post': string
      'article': string
      'both': string
    }
    'reconnectTitle': {
      'post': '{{name}}'
      'article': '{{name}}'
    }
    'reconnectText': {
      'post': string
      'article': string
    }
    'reconnect': string
    'reconnectFailed': string
    'pausedByEnd_one': '{{name}}'
    'pausedByEnd_other': '{{count, number}}'
    'pausedSinceEnd': string
    'openAssistants': string
    'endedAssistants_one': '{{count, number}}'
    'endedAssistants_other': '{{count, number}}'
    'pausedSeveral': string
    'pausedTitle': '{{name}}'
    'openAssistant': string
    'unplannedTitle': '{{name}}'
    'unplannedInvalid': string
    'undeleted': {
      'post': '{{network}}'
      'article': '{{network}}'
    }
    'unplannedAgain': '{{when}}'
    'pausedUntil': '{{when}}'
    'paused': string
    'failedText': string
    'commentFailed': string
    'commentUnclear': string
    'askedText': '{{deadline}}'
    'heldText': string
    'decide': string
    'needsMore_one': '{{count}}'
    'needsMore_other': '{{count}}'
    'firstTitle': string
    'firstText': string
    'up': string
    'waitsForYou': string
    'lacksLogin': {
      'post': string
      'article': string
    }
    'heldForLogin': {
      'post': string
      'article': string
    }
    'upEmpty': string
    'calendar': string
    'clockChange': string
    'today': string
    'channels': string
    'posts_one': '{{count, number}}'
    'posts_other': '{{count, number}}'
    'articles_one': '{{count, number}}'
    'articles_other': '{{count, number}}'
    'channelIdle': string
    'channelPublished_one': '{{count, number}}'
    'channelPublished_other': '{{count, number}}'
    'channelFailed': '{{failed}}'
    'postsByDay': {
      'post_one': '{{count, number}}'
      'post_other': '{{count, number}}'
      'article_one': '{{count, number}}'
      'article_other': '{{count, number}}'
      'both_one': '{{count, number}}'
      'both_other': '{{count, number}}'
    }
    'postsFailed': '{{failed}}{{posts}}'
    'postsByDayEmpty': string
    'postsName': {
      'post': string
      'article': string
      'both': string
    }
    'spendingByDay': '{{days}}'
    'costNote': string
    'tokensName': string
    'tokensInput': string
    'tokensOutput': string
    'costName': string
    'notKnown': string
    'setup_one': '{{count}}{{done}}'
    'setup_other': '{{count}}{{done}}'
    'stepDone': string
    'stepThen': string
    'demo': {
      'offerTitle': string
      'offerText': string
      'offerTextPaid': string
      'offerTextOff': string
      'pays': string
      'make': string
      'making': string
      'makeFailed': string
      'made': string
      'madePaid': string
      'madeOff': string
      'noteTitle': string
      'noteText': string
      'noteTextOff': string
      'incompleteTitle': string
      'incompleteText': string
      'again': string
      'remove': string
      'removeTitle': string
      'removeText': string
      'removeNothing': string
      'assistants_one': '{{count, number}}'
      'assistants_other': '{{count, number}}'
      'posts_one': '{{count, number}}'
      'posts_other': '{{count, number}}'
      'templates_one': '{{count, number}}'
      'templates_other': '{{count, number}}'
      'topic_trees_one': '{{count, number}}'
      'topic_trees_other': '{{count, number}}'
      'pictures_one': '{{count, number}}'
      'pictures_other': '{{count, number}}'
      'accounts_one': '{{count, number}}'
      'accounts_other': '{{count, number}}'
      'rule': string
      'keptText': string
      'kept': {
        'account': '{{name}}'
        'assistant': '{{name}}'
        'media': '{{name}}'
        'template': '{{name}}'
        'topic_tree': '{{name}}'
      }
      'removeFailed': string
      'removed': string
    }
    'lookAt': '{{network}}'
    'step': {
      'verify_email': {
        'title': string
        'text': string
      }
      'connect_account': {
        'title': string
        'text': string
      }
      'create_template': {
        'title': string
        'text': string
      }
      'create_topic_tree': {
        'title': string
        'text': string
      }
      'create_assistant': {
        'title': string
        'text': string
      }
      'activate_assistant': {
        'title': string
        'text': string
      }
      'start_trial': {
        'title': string
        'text': string
      }
    }
    'nextStep': string
    'nextStepIs': '{{step}}'
  }
  errors: {
    'variants': {
      'account_blocked_article': string
      'account_disconnected_article': string
      'ambiguous_outcome_article': string
      'api_version_retired_article': string
      'image_refused_article': string
      'channel_not_configured_article': string
      'delivery_duplicate_article': string
      'delivery_image_missing_article': string
      'delivery_needs_reconnect_missed': string
      'delivery_needs_reconnect_missed_article': string
      'delivery_needs_reconnect_article': string
      'delivery_refused_article': string
      'delivery_unknown_article': string
      'limited_too_long_article': string
      'missed_outage_article': string
      'missed_overtaken_article': string
      'nothing_to_skip_article': string
      'post_not_editable_article': string
      'provider_misconfigured_article': string
      'provider_unavailable_article': string
      'quota_used_article': string
      'reconnected_too_late_article': string
      'removal_refused_article': string
      'run_armed_article': string
      'skip_not_next_article': string
      'staging_lost_article': string
      'unavailable_too_long_article': string
      'retry_delivery_needs_reconnect_article': string
      'retry_ambiguous_outcome_article': string
      'retry_provider_misconfigured_article': string
      'retry_provider_unavailable_article': string
      'page_not_shown_status': '{{status}}'
      'bad_cron_value': '{{position}}{{value}}'
      'quota_used_until': '{{until}}'
      'rate_limited_until': '{{until}}'
      'connect_scope_missing_scopes': '{{scopes}}'
      'alt_too_long_length': '{{length, number}}{{limit, number}}'
      'content_too_long_tags': '{{length, number}}{{limit, number}}'
      'image_template_required_files': string
      'in_use_by': '{{by}}'
      'image_template_required_image_media_ids': string
      'invalid_input_catch_up_minutes': '{{maximum, number}}{{minimum, number}}'
      'invalid_input_left_out_dates': string
      'invalid_input_most_hashtags': '{{maximum, number}}{{minimum, number}}'
      'invalid_input_most_per_day': '{{maximum, number}}{{minimum, number}}'
      'invalid_input_no_repeat': '{{maximum, number}}{{minimum, number}}'
      'not_found_image_media_ids': string
      'not_found_featured': string
      'not_found_files': string
      'invalid_input_every_days': '{{maximum, number}}{{minimum, number}}'
      'invalid_input_start_date': string
      'invalid_input_planned_at': string
      'template_syntax_bad_name': '{{column}}{{line}}'
      'template_syntax_empty': '{{column}}{{line}}'
      'template_syntax_too_long': '{{column}}{{line}}'
      'template_syntax_unbalanced': '{{column}}{{line}}'
      'subscription_required_active_assistants_one': string
      'subscription_required_active_assistants_other': '{{count, number}}{{used, number}}'
      'subscription_required_active_assistants_zero': string
      'subscription_required_active_assistants_plan_one': string
      'subscription_required_active_assistants_plan_other': '{{count, number}}{{used, number}}'
      'subscription_required_published_posts_one': string
      'subscription_required_published_posts_other': '{{count, number}}{{used, number}}'
      'subscription_required_published_posts_zero': string
      'subscription_required_published_posts_plan_one': string
      'subscription_required_published_posts_plan_other': '{{count, number}}{{used, number}}'
      'subscription_required_cost_micros_one': string
      'subscription_required_cost_micros_other': string
      'subscription_required_cost_micros_plan_one': string
      'subscription_required_cost_micros_plan_other': string
      'topic_empty_title_title': string
      'topic_title_too_long_line': '{{found, number}}{{limit, number}}{{line}}'
      'invalid_input_end_date': string
    }
    'access_renewing': string
    'account_ambiguous': '{{value}}'
    'account_blocked': string
    'account_disabled': string
    'account_role_lost': string
    'account_write_only': string
    'api_version_retired': string
    'account_disconnected': string
    'account_unknown': '{{value}}'
    'address_malformed': string
    'already_subscribed': string
    'already_verified': string
    'ambiguous_outcome': string
    'announcement_edited': string
    'api_key_limit': '{{limit, number}}'
    'approval_declined': string
    'approval_expired': string
    'approval_held': string
    'approval_outdated': string
    'article_not_published': string
    'assistant_inactive': string
    'assistant_incomplete': string
    'assistant_writes_articles': string
    'bad_cron': string
    'bad_date_time': '{{value}}'
    'billing_misconfigured': string
    'billing_not_configured': string
    'budget_out_of_range': string
    'billing_unavailable': string
    'budget_spent': string
    'budget_unpriced': string
    'card_letters_missing': string
    'channel_not_configured': string
    'channel_not_selected': string
    'checkout_incomplete': string
    'connect_address_own': '{{name}}'
    'connect_address_taken': string
    'connect_address_unusable': string
    'connect_app_passwords_off': string
    'category_gone': '{{category}}'
    'connect_denied': string
    'connect_endpoint_malformed': string
    'connect_expired': string
    'connect_failed': string
    'connect_key_malformed': string
    'connect_key_refused': string
    'connect_handle_malformed': string
    'connect_login_refused': string
    'connect_may_not_publish': string
    'connect_no_business_account': string
    'connect_no_page': string
    'connect_ping_refused': string
    'connect_plan_too_small': string
    'connect_redirect_not_registered': string
    'connect_role_too_low': string
    'connect_scope_missing': string
    'connect_secret_malformed': string
    'connect_server_unusable': string
    'connect_signature_refused': string
    'connect_site_answers_page': string
    'connect_site_login_lost': string
    'connect_site_other_kind': string
    'connect_site_outdated': string
    'connect_page_needs_tls': string
    'connect_site_differs': string
    'connect_site_rest_off': string
    'connect_site_unreachable': string
    'connect_used': string
    'consent_required': string
    'comment_not_allowed': string
    'comment_not_possible': string
    'comment_refused': string
    'comment_unknown': string
    'alt_too_long': string
    'content_empty': string
    'content_too_long': '{{length, number}}{{limit, number}}'
    'csv_broken_quote': string
    'csv_changed': string
    'csv_column_twice': string
    'csv_in_broken_quote': '{{line, number}}'
    'csv_question_open': string
    'csv_too_many_cells': string
    'csv_too_many_columns': '{{limit, number}}'
    'csv_too_many_lines': '{{limit, number}}'
    'csv_unreadable': string
    'csv_wrong_lines': string
    'day_required': string
    'delivery_duplicate': string
    'delivery_planned_by_site': string
    'site_clock_differs': string
    'site_clock_wrong': '{{minutes}}'
    'site_zone_differs': '{{yours}}{{zone}}'
    'delivery_held_for_review': string
    'delivery_image_missing': string
    'delivery_needs_reconnect': string
    'delivery_refused': string
    'delivery_unreadable': string
    'delivery_unknown': string
    'demo_data_exists': string
    'email_not_verified': string
    'email_taken': string
    'email_unchanged': string
    'ending_too_long': '{{limit, number}}'
    'field_required': string
    'field_too_long': string
    'generation_in_progress': string
    'hashtag_not_usable': '{{value}}'
    'image_attempts_used': string
    'image_failed': string
    'image_not_ready': string
    'image_ratio_refused': string
    'image_refused': string
    'image_required': string
    'image_ratio_unfit': '{{least, number}}{{most, number}}{{ratio, number}}'
    'image_template_missing': string
    'image_template_needs_content': string
    'image_template_required': string
    'image_too_many_pixels': '{{height, number}}{{limit, number}}{{width, number}}'
    'image_too_small': '{{limit, number}}{{width, number}}'
    'image_truncated': string
    'image_type_refused': string
    'image_unknown': '{{value}}'
    'image_unreadable': string
    'in_use': string
    'invalid_email': string
    'invalid_input': string
    'invitation_invalid': string
    'invitation_limit': '{{limit, number}}'
    'invitation_other_email': string
    'invitation_used': string
    'limited_too_long': string
    'link_invalid': string
    'login_failed': string
    'mail_misconfigured': string
    'mail_address_refused': string
    'mail_refused': string
    'mail_unavailable': string
    'media_local': '{{address}}'
    'media_unreachable': string
    'missed_outage': string
    'missed_overtaken': string
    'model_context_too_small': string
    'model_incomplete': string
    'model_misconfigured': string
    'model_reasoned_too_long': string
    'model_out_of_credit': string
    'model_refused': string
    'model_unavailable': string
    'name_required': string
    'name_taken': string
    'not_found': string
    'own_images_required': string
    'not_subscribed': string
    'nothing_to_skip': string
    'page_not_reached': string
    'page_not_shown': string
    'password_common': string
    'password_contains_email': string
    'password_too_long': '{{longest, number}}'
    'password_too_short': '{{shortest, number}}'
    'password_wrong': string
    'period_too_long': '{{maximum, number}}'
    'post_ended': string
    'article_busy': string
    'fixed_while_published': string
    'update_not_possible': string
    'post_going_out': string
    'post_not_editable': string
    'post_on_its_way': string
    'post_unclear': string
    'prompt_too_long': '{{length, number}}{{limit, number}}'
    'provider_misconfigured': string
    'provider_unavailable': string
    'quota_used': string
    'rate_limited': string
    'reconnected_too_late': string
    'removal_not_possible': string
    'removal_refused': string
    'run_armed': string
    'run_cancelled': string
    'run_ended': string
    'scope_missing': string
    'second_factor_off': string
    'second_factor_on': string
    'second_factor_required': string
    'second_factor_wrong': string
    'server_busy': string
    'skip_not_next': string
    'skipped_by_hand': string
    'rewrite_same': string
    'rewrite_too_late': string
    'slug_malformed': string
    'slug_missing': string
    'slug_taken': string
    'website_has_assistant': '{{by}}'
    'staging_lost': string
    'stale_version': string
    'storage_unavailable': string
    'subscription_ended': string
    'subscription_required': string
    'suggestion_decided': string
    'template_import_unreadable': string
    'template_needs_topic': string
    'template_required': string
    'template_too_many': '{{limit, number}}'
    'template_syntax': '{{column}}{{line}}'
    'temporal_unavailable': string
    'text_attempts_used': string
    'title_missing': string
    'time_slot_required': string
    'time_zone_required': string
    'too_large': '{{limit, number}}'
    'too_many_ahead': '{{maximum, number}}'
    'too_many_hashtags': '{{found, number}}{{limit, number}}'
    'too_many_images': '{{found, number}}{{limit, number}}'
    'too_many_mentions': '{{found, number}}{{limit, number}}'
    'too_many_tags': '{{limit, number}}'
    'topic_depth_jump': '{{from_depth}}{{line}}{{to_depth}}'
    'topic_empty_title': '{{line}}'
    'topic_inside_itself': string
    'topic_no_hyphen': '{{line}}'
    'topic_root_stays': string
    'topic_title_too_long': '{{found, number}}{{limit, number}}'
    'topic_too_many': '{{found, number}}{{limit, number}}'
    'topic_too_many_lines': '{{found, number}}{{limit, number}}'
    'topic_tree_empty': string
    'topic_tree_required': string
    'tryout_over': string
    'unauthenticated': string
    'unavailable_too_long': string
    'undo_expired': string
    'unknown_holidays': string
    'unknown_time_zone': '{{value}}'
    'webhook_forged': string
    'veto_too_long': '{{maximum}}'
    'variable_value_required': '{{name}}'
    'retries': {
      'api_version_retired': string
      'ambiguous_outcome': string
      'delivery_needs_reconnect': string
      'model_misconfigured': string
      'model_out_of_credit': string
      'model_unavailable': string
      'provider_misconfigured': string
      'provider_unavailable': string
      'rate_limited': string
      'storage_unavailable': string
      'internal': string
    }
    'internal': string
    'unreachable': string
    'remedies': {
      'subscription': string
    }
    'bad_time': '{{value}}'
    'delivery_address_unusable': string
    'first_comment_unsupported': string
    'link_not_usable': string
    'link_title_missing': string
    'slot_past': string
  }
  home: {
    'title': string
    'lead': string
    'signUp': string
    'onePost': string
    'yourOk': string
    'accounted': string
    'run': {
      'description': string
      'assistant': string
      'state': {
        'first': string
        'both': string
        'asleep': string
        'topic': string
        'text': string
        'image': string
        'ready': string
        'sending': string
      }
      'topicActive': string
      'topicDone': string
      'content': {
        'todo': string
        'text': string
        'image': string
        'done': string
      }
      'text': string
      'wait': string
      'waitDone': string
      'planned': string
      'goesOut': string
      'sending': string
      'liveSince': '{{time}}'
      'sleep': string
      'asleep': string
      'stop': string
      'play': string
    }
    'forTitle': string
    'forMarketing': string
    'forMarketingText': string
    'forExperts': string
    'forExpertsText': string
    'forCareful': string
    'forCarefulText': string
    'howTitle': string
    'topicsTitle': string
    'topicsText': string
    'topicsAlt': string
    'scheduleTitle': string
    'scheduleText': string
    'scheduleAlt': string
    'proofTitle': string
    'proofText': string
    'proofAlt': string
    'todayTitle': string
    'today': string
  }
  invitations: {
    'title': string
    'lead': string
    'open_one': '{{count}}{{limit, number}}'
    'open_other': '{{count}}{{limit, number}}'
    'full': '{{limit, number}}'
    'listFailed': string
    'emptyTitle': string
    'emptyText': string
    'create': string
    'search': string
    'noMatch': '{{search}}'
    'count_one': '{{count}}'
    'count_other': '{{count}}'
    'invitation': string
    'anyone': string
    'state': string
    'states': {
      'expired': string
      'used': string
      'revoked': string
    }
    'daysLeft_one': '{{count}}'
    'daysLeft_other': '{{count}}'
    'made': string
    'ended': string
    'until': '{{when}}'
    'acceptedAt': '{{when}}'
    'expiredAt': '{{when}}'
    'actions': string
    'copyLink': string
    'share': string
    'more': '{{code}}'
    'shareTitle': string
    'shareText': '{{day}}'
    'shareTextFor': '{{day}}{{email}}'
    'code': string
    'link': string
    'createTitle': string
    'createText': string
    'email': string
    'send': string
    'createAction': string
    'ready': string
    'sent': '{{email}}'
    'revoke': string
    'revokeTitle': '{{code}}'
    'revokeText': string
    'revokeTextFor': '{{email}}'
    'revokeAction': string
    'revoked': '{{code}}'
    'revokeFailed': '{{code}}'
  }
  legal: {
    'privacy': {
      'title': string
      'lead': string
      'version': string
      'whoTitle': string
      'whoNamed': '{{name}}'
      'whoUnnamed': string
      'contact': '{{contact}}'
      'makers': string
      'dataTitle': string
      'dataLead': string
      'basis': '{{basis}}'
      'keep': '{{keep}}'
      'data': {
        'account': {
          'title': string
          'text': string
          'basis': string
          'keep': string
        }
        'security': {
          'title': string
          'text': string
          'basis': string
          'keep': '{{sessionDays}}'
        }
        'content': {
          'title': string
          'text': string
          'basis': string
          'keep': string
        }
        'accounts': {
          'title': string
          'text': string
          'basis': string
          'keep': string
        }
        'invitations': {
          'title': string
          'text': string
          'basis': string
          'keep': '{{invitationDays}}'
        }
        'mails': {
          'title': string
          'text': string
          'basis': string
          'keep': string
        }
        'costs': {
          'title': string
          'text': string
          'basis': string
          'keep': string
        }
        'traces': {
          'title': string
          'text': string
          'basis': string
          'keep': string
        }
      }
      'browserTitle': string
      'browser': string
      'browserToken': string
      'browserLanguage': string
      'browserColours': string
      'browserCookie': string
      'recipientsTitle': string
      'networks': string
      'modelNone': string
      'modelOpenai': string
      'modelOther': string
      'providers': string
      'nobody': string
      'abroad': string
      'decisionsTitle': string
      'decisions': string
      'rightsTitle': string
      'rightAccess': string
      'rightCorrect': string
      'rightDelete': string
      'rightRestrict': string
      'rightWithdraw': string
      'rightComplain': string
      'securityTitle': string
      'security': string
    }
  }
  marketplace: {
    'title': string
    'lead': string
    'search': string
    'all': string
    'types': {
      'text': string
      'image': string
    }
    'origins': {
      'starter': string
      'community': string
    }
    'language': string
    'anyLanguage': string
    'filterByTag': '{{tag}}'
    'sort': string
    'sorts': {
      'popular': string
      'newest': string
    }
    'count_one': '{{count, number}}'
    'count_other': '{{count, number}}'
    'noMatch': '{{search}}'
    'noMatchFilters': string
    'listFailed': string
    'readFailed': string
    'preview': string
    'own': string
    'copied': string
    'by': '{{author}}'
    'unnamed': string
    'uses_zero': string
    'uses_one': string
    'uses_other': '{{count, number}}'
    'variables': '{{names}}'
    'sample': string
    'sampleAlt': '{{name}}'
    'noSample': string
    'aiNote': string
    'standIn': string
    'demoWriter': string
    'demoHint': string
    'demoSample': string
    'body': string
    'wordsOnCard': string
    'settings': string
    'tone': string
    'longest': string
    'characters_one': '{{count, number}}'
    'characters_other': '{{count, number}}'
    'model': string
    'serversModel': string
    'engine': string
    'engines': {
      'card': string
      'ai': string
    }
    'style': string
    'layout': string
    'needs': string
    'changed': '{{day}}'
    'copy': string
    'copyAgain': string
    'copyAgainQuestion': string
    'copyAgainText': '{{name}}'
    'copiedTo': '{{name}}'
    'copiedBefore': string
    'openCopy': string
    'edit': string
    'ownNote': string
  }
  media: {
    'title': string
    'lead': string
    'designCard': string
    'uploadAction': string
    'listFailed': string
    'goneTitle': string
    'goneText': string
    'goneBack': string
    'imageFailed': string
    'search': string
    'all': string
    'origins': {
      'own': string
      'upload': string
      'ai': string
      'card': string
      'assistant': string
    }
    'hidden_one': '{{count, number}}'
    'hidden_other': '{{count, number}}'
    'showHidden': string
    'sources': {
      'upload': string
      'ai': string
      'card': string
    }
    'sort': string
    'sorts': {
      'newest': string
      'oldest': string
      'largest': string
      'name': string
    }
    'count_one': '{{count, number}}'
    'count_other': '{{count, number}}'
    'noMatch': '{{search}}'
    'noMatchFilter': string
    'emptyTitle': string
    'emptyText': string
    'chooseFiles': string
    'dropHere': string
    'dropNow': string
    'takePhoto': string
    'limits': '{{limit, number}}'
    'gridKeys': string
    'select': '{{name}}'
    'noAlt': string
    'selection': string
    'selected_one': '{{count, number}}'
    'selected_other': '{{count, number}}'
    'changeTags': string
    'clearSelection': string
    'tagsTitle_one': '{{count, number}}'
    'tagsTitle_other': '{{count, number}}'
    'tagsHint': string
    'saveTags': string
    'tagFailed_one': string
    'tagFailed_other': '{{count, number}}'
    'details': string
    'closeDetails': string
    'name': string
    'alt': string
    'altHint': string
    'tags': string
    'source': string
    'madeBy': string
    'kind': string
    'dimensions': string
    'size': string
    'added': string
    'usedIn': string
    'unused': string
    'uses': {
      'post': string
      'template': string
      'card_preset': string
      'assistant': string
    }
    'blocks': string
    'editCard': string
    'download': string
    'copyAddress': string
    'addressHint': string
    'newerTitle': string
    'loadNewer': string
    'saveFailed': string
    'kept': '{{name}}'
    'delete': string
    'deletedOne': '{{name}}'
    'deleted_one': '{{count, number}}'
    'deleted_other': '{{count, number}}'
    'deleteFailed_one': string
    'deleteFailed_other': '{{count, number}}'
    'refusedBecause': '{{name}}{{reason}}'
    'restoreFailed_one': string
    'restoreFailed_other': '{{count, number}}'
    'leaveTitle': string
    'leaveText': string
    'leaveAction': string
    'pickerEmpty': string
    'own': {
      'add': string
      'hint': string
      'hintFew': string
      'earlier': '{{name}}'
      'later': '{{name}}'
      'remove': '{{name}}'
      'moved': '{{count}}{{place}}'
      'taken_one': '{{count}}'
      'taken_other': '{{count}}'
      'loading': string
      'gone': string
      'hintPost': string
      'keptOnly_one': '{{count}}'
      'keptOnly_other': '{{count}}'
      'removed_one': '{{count}}'
      'removed_other': '{{count}}'
      'silent_one': '{{count}}'
      'silent_other': '{{count}}'
      'most': '{{count}}'
      'chosen_one': '{{count}}'
      'chosen_other': '{{count}}'
      'done': string
    }
    'pictureMissing': string
    'unnamed': {
      'upload': string
      'ai': string
      'card': string
    }
    'kilobytes': '{{size}}'
    'megabytes': '{{size}}'
    'pasted': '{{when}}'
    'uploads': string
    'uploaded_one': '{{arrived, number}}{{count, number}}'
    'uploaded_other': '{{arrived, number}}{{count, number}}'
    'uploadsFailed_one': '{{count, number}}'
    'uploadsFailed_other': '{{count, number}}'
    'cancelAll': string
    'closeUploads': string
    'progressOf': '{{name}}'
    'cancelOf': '{{name}}'
    'retryOf': '{{name}}'
    'upload': {
      'waiting': '{{size}}'
      'sending': '{{size}}'
      'sendingOf': '{{share}}{{size}}'
      'checking': string
      'done': '{{size}}'
      'firstFrame': string
      'known': string
      'cancelled': string
      'failed': string
    }
  }
  navigation: {
    'main': string
    'public': string
    'menu': string
    'closeMenu': string
    'dashboard': string
    'aiTemplates': string
    'myTemplates': string
    'marketplace': string
    'socialMedia': string
    'posts': string
    'topicTrees': string
    'assistants': string
    'calendar': string
    'mediaLibrary': string
    'images': string
    'account': string
    'socialAccounts': string
    'invitations': string
    'subscription': string
    'approvals': string
    'articles': string
    'websites': string
    'transactions': string
    'home': string
    'login': string
    'signUp': string
    'logout': string
    'profile': string
    'privacyPolicy': string
    'userMenu': string
    'waiting_one': '{{count}}'
    'waiting_other': '{{count}}'
    'notifications': string
    'unread_one': '{{count}}'
    'unread_other': '{{count}}'
    'manyUnread': string
    'search': string
    'searchLabel': string
    'pages': string
    'actions': string
    'nothingFound': '{{query}}'
    'searching': string
    'recent': string
    'found': {
      'assistant': string
      'template': string
      'topic_tree': string
      'post': string
      'image': string
    }
    'unnamed': string
    'tryOut': string
    'newPost': string
    'upload': string
    'switchLanguage': '{{language}}'
    'live': string
    'connecting': string
    'stale': string
    'staleSince': '{{time}}'
    'staleHint': '{{time}}'
    'footer': string
    'system': {
      'workerSince': '{{time}}'
      'workerAway': string
      'temporalSince': '{{time}}'
      'temporalAway': string
      'modelRefused': '{{time}}'
      'modelUnpaid': '{{time}}'
      'modelConsequence': string
      'networkRefused': '{{network}}{{time}}'
      'networkConsequence': string
      'consequence': string
    }
  }
  notifications: {
    'title': string
    'close': string
    'allRead': string
    'readFailed': string
    'choose': string
    'unread': string
    'listFailed': string
    'emptyTitle': string
    'emptyText': string
    'count_one': '{{count}}'
    'count_other': '{{count}}'
    'sentence': {
      'approval_needed': '{{assistant}}{{title}}'
      'post_failed': '{{title}}'
      'post_waits': '{{title}}'
      'run_failed': '{{assistant}}'
      'removal_failed': '{{title}}'
      'update_failed': '{{title}}'
      'takedown_failed': '{{title}}'
      'comment_failed': '{{title}}'
      'announcement_ready': '{{title}}'
      'announcement_failed': '{{title}}'
      'planning_failed': '{{assistant}}'
      'post_unknown': '{{title}}'
      'account_expires': '{{account}}{{network}}'
      'account_reconnect': '{{account}}{{network}}'
      'assistant_paused_itself': '{{assistant}}'
      'budget_reached': '{{assistant}}'
      'trial_ending': string
      'payment_failed': string
      'subscription_ended': string
      'allowance_reached': string
      'email_refused': string
    }
    'ofArticle': {
      'run_failed': '{{assistant}}'
      'removal_failed': '{{title}}'
      'account_reconnect': '{{account}}'
      'untitled': string
    }
    'assistant': string
    'untitled': string
    'settings': {
      'mails': string
      'hint': string
      'overviewTitle': string
      'overviewHint': '{{zone}}'
      'failed': string
      'saved': '{{choice}}{{topic}}'
      'notSaved': '{{topic}}'
      'choice': {
        'at_once': string
        'daily': string
        'never': string
      }
      'overviewChoice': {
        'daily': string
        'never': string
      }
      'topic': {
        'approval': string
        'failed': string
        'unknown': string
        'reconnect': string
        'self_paused': string
        'budget': string
        'subscription': string
        'overview': string
      }
      'about': {
        'approval': string
        'failed': string
        'unknown': string
        'reconnect': string
        'self_paused': string
        'budget': string
        'subscription': string
        'overview': string
      }
    }
  }
  posts: {
    'announcing': {
      'title': string
      'announce': string
      'none': string
      'notOut': string
      'loadFailed': string
      'itself': {
        'waiting': '{{when}}'
        'writing': string
        'failed': string
        'draft': string
      }
      'dialog': string
      'asking': string
      'isThere': string
      'assistant': string
      'assistantHint': string
      'accounts': string
      'accountMissing': string
      'connect': string
      'text': string
      'bySummary': string
      'byTitle': string
      'byTemplate': string
      'byTemplateHint': string
      'then': string
      'asDraft': string
      'now': string
      'later': string
      'timeMissing': string
      'card': string
      'makeDraft': string
      'left': string
      'openDraft': string
    }
    'composer': {
      'new': string
      'edit': string
      'text': string
      'texts': string
      'allChannels': string
      'ownText': string
      'ownTextHint': string
      'ownTextFor': '{{name}}'
      'removeVariant': string
      'variantRemoved': '{{name}}'
      'same': string
      'placeholder': string
      'count': '{{length, number}}{{limit, number}}'
      'tooMany': {
        'too_many_hashtags': '{{found, number}}{{limit, number}}'
        'too_many_mentions': '{{found, number}}{{limit, number}}'
      }
      'accounts': string
      'addAccount': string
      'allAccounts': string
      'noAccounts': string
      'goneAccount': string
      'removeAccount': '{{name}}'
      'images': string
      'firstComment': string
      'firstCommentOptional': string
      'firstCommentHint': '{{networks}}'
      'link': {
        'title': string
        'add': string
        'pasted': string
        'asWords': string
      }
      'altOf': '{{number}}'
      'altHint': string
      'tags': string
      'preview': string
      'noPreview': string
      'allMet': string
      'repeats': '{{when}}'
      'repeatsShow': string
      'fitFailed': string
      'free': string
      'kept': string
      'newer': string
      'asked': '{{when}}'
      'newerApproved': string
      'newerDeclined': string
      'ownTexts': string
      'imageCount_one': '{{count}}'
      'imageCount_other': '{{count}}'
      'gone': string
      'publishText': '{{names}}'
      'accountMissing': string
      'connect': string
      'needsLogin': string
    }
    'acknowledge': string
    'acknowledgeOf': '{{post}}'
    'acknowledgeFailed': string
    'unknownTitle': {
      'post': '{{network}}'
      'article': '{{network}}'
    }
    'there': string
    'notThere': string
    'thereSaid': string
    'notThereNoted': string
    'takenBack': string
    'takeBackFailed': string
    'decideFailed': string
    'viewOn': '{{network}}'
    'delivery': {
      'pending': string
      'asked': string
      'publishing': string
      'published': string
      'retrying': string
      'held': string
      'unknown': string
      'failed': string
      'cancelled': string
    }
    'confirmed': '{{when}}'
    'heldUntil': '{{network}}{{when}}'
    'heldForNetwork': '{{until}}{{when}}'
    'reconnect': {
      'post': string
      'article': string
    }
    'approval': {
      'title': string
      'asks': '{{deadline}}{{otherwise}}'
      'veto': '{{deadline}}{{when}}'
      'otherwise': {
        'hold': string
        'skip': string
        'publish': string
      }
      'left': '{{time}}'
      'approve': string
      'approveOf': '{{post}}'
      'decline': string
      'declineOf': '{{post}}'
      'stop': string
      'stopOf': '{{post}}'
      'reason': string
      'approved': '{{when}}'
      'approvedByDeadline': '{{deadline}}'
      'declined': '{{when}}'
      'declinedFor': '{{remark}}{{when}}'
      'expired': '{{deadline}}'
      'expiredKept': '{{deadline}}'
      'withdrawn': string
      'doneApproved': '{{when}}'
      'doneDeclined': string
      'failed': string
    }
    'deliveryLog': {
      'empty': {
        'post': string
        'article': string
      }
      'failed': string
      'attempt': '{{attempt, number}}'
      'noCall': string
      'noAnswer': string
      'sent': string
      'answer': string
      'steps': {
        'stage': string
        'ready': string
        'publish': string
        'look_up': string
        'comment': string
        'look_up_comment': string
        'remove': string
        'revise': string
      }
      'decisions': {
        'done': string
        'again': string
        'look_up': string
        'absent': string
        'unknown': string
        'held': string
        'failed': string
      }
      'decisionsOfArticle': {
        'look_up': string
        'unknown': string
      }
    }
    'linkFields': {
      'address': string
      'cardTitle': string
      'cardDescription': string
      'remove': string
      'removed': string
      'asCard': '{{networks}}'
      'asPageCard': '{{networks}}'
      'asText': '{{networks}}'
      'leftOut': '{{networks}}'
    }
    'import': {
      'turn': string
      'turnHint': string
      'encoding': string
      'encodingHint': string
      'encodingChosen': string
      'encodings': {
        'utf-8': string
        'utf-16': string
        'windows-1252': string
        'macintosh': string
        'ibm850': string
        'windows-1250': string
        'windows-1251': string
      }
      'dateOrder': '{{cell}}'
      'timeOfDay': string
      'timeOfDayHint': '{{cell}}'
      'columns': string
      'columnsRead': '{{all, number}}{{read, number}}'
      'columnsHint': string
      'column': '{{number, number}}'
      'example': '{{example}}'
      'notRead': string
      'contentMissing': string
      'dates': string
      'datesHint': '{{column}}'
      'images': string
      'imagesHint': '{{column}}'
      'fields': {
        'content': string
        'planned_at': string
        'time': string
        'accounts': string
        'first_comment': string
        'link': string
        'link_title': string
        'link_description': string
        'tags': string
        'image_ids': string
      }
    }
    'bulk': {
      'label': string
      'selected_one': '{{count, number}}'
      'selected_other': '{{count, number}}'
      'all': '{{count, number}}'
      'none': string
      'delete': string
      'progress': '{{count, number}}{{done, number}}'
      'declineTitle_one': '{{count, number}}'
      'declineTitle_other': '{{count, number}}'
      'decline_one': string
      'decline_other': '{{count, number}}'
      'moveTitle_one': '{{count, number}}'
      'moveTitle_other': '{{count, number}}'
      'move_one': string
      'move_other': '{{count, number}}'
      'days': string
      'daysHint': string
      'cancelTitle_one': '{{count, number}}'
      'cancelTitle_other': '{{count, number}}'
      'cancelText': string
      'tagsTitle_one': '{{count, number}}'
      'tagsTitle_other': '{{count, number}}'
      'addTags': string
      'removeTags': string
      'saveTags': string
      'settle': string
    }
    'settle': {
      'bannerTitle': {
        'post_one': '{{count, number}}'
        'post_other': '{{count, number}}'
        'article_one': '{{count, number}}'
        'article_other': '{{count, number}}'
        'both_one': '{{count, number}}'
        'both_other': '{{count, number}}'
      }
      'bannerText': {
        'post': string
        'article': string
        'both': string
      }
      'open': string
      'title': {
        'post_one': '{{count, number}}'
        'post_other': '{{count, number}}'
        'article_one': '{{count, number}}'
        'article_other': '{{count, number}}'
        'both_one': '{{count, number}}'
        'both_other': '{{count, number}}'
      }
      'lead': {
        'post': string
        'article': string
        'both': string
      }
      'none': string
      'loadFailed': string
      'count': {
        'post_one': '{{count, number}}'
        'post_other': '{{count, number}}'
        'article_one': '{{count, number}}'
        'article_other': '{{count, number}}'
      }
      'list': {
        'post': '{{account}}'
        'article': '{{account}}'
      }
      'answer_one': '{{account}}'
      'answer_other': '{{account}}'
      'later': string
      'there_one': string
      'there_other': string
      'thereHint_one': string
      'thereHint_other': string
      'notThere_one': string
      'notThere_other': string
      'notThereHint_one': string
      'notThereHint_other': string
      'again_one': string
      'again_other': string
      'againHint': {
        'post_one': string
        'post_other': string
        'article_one': string
        'article_other': string
      }
      'save': {
        'post_zero': string
        'post_one': '{{count, number}}'
        'post_other': '{{count, number}}'
        'article_zero': string
        'article_one': '{{count, number}}'
        'article_other': '{{count, number}}'
        'both_zero': string
        'both_one': '{{count, number}}'
        'both_other': '{{count, number}}'
      }
      'saveAgain': {
        'post_one': '{{count, number}}'
        'post_other': '{{count, number}}'
        'article_one': '{{count, number}}'
        'article_other': '{{count, number}}'
        'both_one': '{{count, number}}'
        'both_other': '{{count, number}}'
      }
      'sentOn': '{{when}}'
    }
    'leaving': string
    'commentMissing': string
    'notDeleted': string
    'files': {
      'menu': string
      'export_one': '{{count, number}}'
      'export_other': '{{count, number}}'
      'exportBoth_one': '{{count, number}}'
      'exportBoth_other': '{{count, number}}'
      'exportMost': '{{count, number}}{{most, number}}'
      'exportFailed': string
      'import': string
      'importLead': '{{most, number}}{{size, number}}'
      'zone': string
      'zoneHint': string
      'choose': string
      'chooseOther': string
      'nothing': string
      'found_one': '{{count, number}}'
      'found_other': '{{count, number}}'
      'wrong_one': '{{count, number}}'
      'wrong_other': '{{count, number}}'
      'lines': string
      'wrongLines': string
      'line': '{{number, number}}'
      'atLine': '{{line, number}}{{problem}}'
      'atColumn': '{{column}}{{problem}}'
      'images_one': '{{count, number}}'
      'images_other': '{{count, number}}'
      'more_one': '{{count, number}}'
      'more_other': '{{count, number}}'
      'onlyRight_one': '{{count, number}}'
      'onlyRight_other': '{{count, number}}'
      'save_zero': string
      'save_one': '{{count, number}}'
      'save_other': '{{count, number}}'
      'lookAgain': string
      'saved_one': '{{count, number}}'
      'saved_other': '{{count, number}}'
    }
    'inbox': {
      'demo': string
      'lead': string
      'list': string
      'position': '{{count, number}}{{number, number}}'
      'before': string
      'next': string
      'all': string
      'more': '{{count, number}}{{shown, number}}'
      'until': '{{when}}'
      'over': string
      'goesOut': '{{when}}'
      'atOnce': string
      'heldAfter': '{{time}}'
      'skippedAfter': '{{time}}'
      'publishedAfter': '{{time}}'
      'edit': string
      'keys': string
      'keysVeto': string
      'topic': string
      'template': string
      'version': '{{name}}{{number, number}}'
      'templateGone': string
      'writtenBy': string
      'slot': string
      'askedFor': string
      'cost': string
      'tokens_one': '{{count, number}}'
      'tokens_other': '{{count, number}}'
      'reasonHint': string
      'costUnknown': string
      'sending': {
        'approved': '{{post}}'
        'declined': '{{post}}'
      }
      'undo': string
      'undone': string
      'later': string
      'notSent': '{{post}}'
      'dismiss': string
      'open': string
      'loadFailed': string
      'emptyTitle': string
      'emptyText': string
      'gone': {
        'title': string
        'approved': string
        'declined': string
        'expired': string
        'published': string
        'withdrawn': string
        'rewritten': string
        'changed': string
        'missing': string
      }
    }
    'repeated_one': string
    'repeated_other': '{{count}}'
    'changed': {
      'approve_one': '{{count, number}}'
      'approve_other': '{{count, number}}'
      'decline_one': '{{count, number}}'
      'decline_other': '{{count, number}}'
      'move_one': '{{count, number}}'
      'move_other': '{{count, number}}'
      'cancel_one': '{{count, number}}'
      'cancel_other': '{{count, number}}'
      'delete_one': '{{count, number}}'
      'delete_other': '{{count, number}}'
      'restore_one': '{{count, number}}'
      'restore_other': '{{count, number}}'
      'tag_one': '{{count, number}}'
      'tag_other': '{{count, number}}'
      'remove_one': '{{count, number}}'
      'remove_other': '{{count, number}}'
      'there_one': '{{count, number}}'
      'there_other': '{{count, number}}'
      'not_there_one': '{{count, number}}'
      'not_there_other': '{{count, number}}'
      'take_back_one': '{{count, number}}'
      'take_back_other': '{{count, number}}'
      'send_again_one': '{{count, number}}'
      'send_again_other': '{{count, number}}'
    }
    'changedArticles': {
      'delete_one': '{{count, number}}'
      'delete_other': '{{count, number}}'
      'restore_one': '{{count, number}}'
      'restore_other': '{{count, number}}'
      'remove_one': '{{count, number}}'
      'remove_other': '{{count, number}}'
      'there_one': '{{count, number}}'
      'there_other': '{{count, number}}'
      'not_there_one': '{{count, number}}'
      'not_there_other': '{{count, number}}'
      'take_back_one': '{{count, number}}'
      'take_back_other': '{{count, number}}'
      'send_again_one': '{{count, number}}'
      'send_again_other': '{{count, number}}'
    }
    'refusedArticles_one': '{{count, number}}'
    'refusedArticles_other': '{{count, number}}'
    'refusedBecause': '{{name}}{{reason}}'
    'refusedTitle_one': '{{count, number}}'
    'refusedTitle_other': '{{count, number}}'
    'firstComment': {
      'waiting': '{{network}}'
      'again': '{{when}}'
      'published': string
      'unknown': '{{network}}'
      'failed': '{{network}}'
      'putAgain': string
      'copy': string
    }
    'removal': {
      'waiting': '{{network}}'
      'asksAgain': '{{network}}{{when}}'
      'gone': string
      'removed': '{{network}}{{when}}'
      'failed': '{{network}}'
      'again': string
      'askFailed': string
      'leaves': string
    }
    'thereAt': {
      'post': string
      'article': string
    }
    'thereAtHint': {
      'post': string
      'article': string
    }
    'sendAgain': string
    'sendAgainTitle': {
      'post': '{{network}}'
      'article': '{{network}}'
    }
    'sendAgainText': {
      'post': string
      'article': string
    }
    'sentAgain': string
    'sendAgainFailed': string
    'intended': string
    'demoWriter': string
    'demoHint': string
    'preview': {
      'are': '{{network}}'
      'were': '{{network}}'
    }
    'previews': {
      'are': string
      'were': string
    }
    'characters': '{{limit, number}}{{used, number}}'
    'noAlt': string
    'imageOf': '{{count}}{{number}}'
    'deliveries': string
    'noDeliveries': {
      'post': string
      'article': string
    }
    'notScheduled': string
    'attempt_one': '{{count}}'
    'attempt_other': '{{count}}'
    'outAt': '{{when}}'
    'failedAt': '{{when}}'
    'heldFor': {
      'post': string
      'article': string
    }
    'heldUnclear': {
      'post': string
      'article': string
    }
    'delete': string
    'maybeOut': string
    'triedAt': '{{when}}'
    'triesAgainAt': '{{when}}'
    'asksAgainAt': '{{when}}'
    'limited': '{{network}}'
    'log': string
    'networkSaid': '{{detail}}{{network}}'
    'accountAway': {
      'post': string
      'article': string
    }
    'unknownText': '{{account}}'
    'notThereSaid': {
      'post': string
      'article': string
    }
    'again': {
      'action': string
      'actionOf': '{{post}}'
      'title': string
      'remark': string
      'hint': string
      'asked': string
      'writing': '{{remark}}'
      'failed': string
    }
    'facts': string
    'announces': string
    'toArticle': string
    'topic': string
    'writtenBy': string
    'person': string
    'noPreview': string
    'previewNow': string
    'seeMore': string
    'seeLess': string
    'link': {
      'ofPage': string
      'leftOut': string
    }
    'seeMoreSpelt': string
    'like': string
    'comment': string
    'repost': string
    'share': string
    'reply': string
    'boost': string
    'favourite': string
    'repostIt': string
    'remove': {
      'title_one': string
      'title_other': '{{count, number}}'
      'what': string
      'there': '{{network}}'
      'thereMany_one': '{{count, number}}{{network}}'
      'thereMany_other': '{{count, number}}{{network}}'
      'why': {
        'not_by_api_one': '{{network}}'
        'not_by_api_other': '{{network}}'
        'unnamed_one': '{{network}}'
        'unnamed_other': '{{network}}'
        'disconnected_one': string
        'disconnected_other': string
      }
      'openThere': '{{network}}'
      'onlyHere_one': string
      'onlyHere_other': string
      'forGood_one': string
      'forGood_other': string
      'here': string
      'hereAndThere': '{{networks}}'
    }
    'removeArticle': {
      'title': string
      'what': string
      'onlyHere': string
      'forGood': string
      'there': '{{network}}'
      'hereAndThere': '{{networks}}'
      'openThere': '{{network}}'
      'why': {
        'not_by_api': '{{network}}'
        'unnamed': '{{network}}'
        'disconnected': string
      }
    }
    'tabs': string
    'socialPosts': string
    'approvals': string
    'articles': string
    'websites': string
    'title': string
    'editPost': string
    'openPost': {
      'post': string
      'article': string
    }
    'duplicate': string
    'duplicated': string
    'duplicateFailed': string
    'assistant': string
    'noAssistant': string
    'post': string
    'planned': string
    'notPlanned': string
    'noText': string
    'tags': string
    'onlyTag': '{{tag}}'
    'readFailed': string
    'altText': string
    'goesOut': '{{when}}'
    'actions': {
      'label': string
      'move': string
      'leftOut': '{{time}}'
      'moveTitle': string
      'when': string
      'zone': '{{zone}}'
      'moved': '{{when}}'
      'cancel': string
      'cancelTitle': {
        'post': string
        'article': string
      }
      'cancelRestText': string
      'cancelText': string
      'cancelled': string
      'publish': string
      'publishTitle': {
        'post': string
        'article': string
      }
      'publishRestText': string
      'publishText': {
        'post': string
        'article': string
      }
      'publishHeld_one': '{{names}}'
      'publishHeld_other': '{{names}}'
      'publishHeldSite': string
      'published': string
      'schedule': string
      'scheduled': '{{when}}'
      'retry': string
      'retried': string
      'later': string
      'failed': string
      'goingOut': '{{time}}'
    }
    'repeats': string
    'timeZone': string
    'language': string
    'created': string
    'instagramFile': string
    'instagramTemplate': string
    'facebookPage': string
    'instagramBusiness': string
    'comingSoon': string
    'lead': string
    'write': string
    'search': string
    'all': string
    'anyAssistant': string
    'channels': string
    'status': string
    'byHand': string
    'count_one': '{{count, number}}{{shown, number}}'
    'count_other': '{{count, number}}{{shown, number}}'
    'countBoth_one': '{{count, number}}{{shown, number}}'
    'countBoth_other': '{{count, number}}{{shown, number}}'
    'kinds': string
    'articlesToo': string
    'isArticle': string
    'filters': string
    'filtersSet': '{{count, number}}'
    'filtersTitle': string
    'factsFilter': string
    'waitsForYou': string
    'account': string
    'accounts': string
    'anyAccount': string
    'source': string
    'anySource': string
    'sources': {
      'assistant': string
      'person': string
    }
    'plannedFrom': string
    'plannedTo': string
    'showFound_one': '{{count, number}}'
    'showFound_other': '{{count, number}}'
    'showFoundBoth_one': '{{count, number}}'
    'showFoundBoth_other': '{{count, number}}'
    'sort': string
    'sortedBy': '{{order}}'
    'sorts': {
      'planned_next': string
      'planned_latest': string
      'planned_earliest': string
      'created_latest': string
      'created_earliest': string
      'updated_latest': string
      'updated_earliest': string
    }
    'columns': string
    'updated': string
    'select': '{{name}}'
    'selectAll': string
    'listKeys': string
    'emptyTitle': string
    'emptyText': string
    'toAssistants': string
    'noMatch': '{{search}}'
    'noMatchFilters': string
    'noMatchBoth': '{{search}}'
    'noMatchFiltersBoth': string
    'listFailed': string
    'text': string
  }
  runs: {
    'live': {
      'mood': {
        'inactive': string
        'activating': string
        'asleep': string
        'paused': string
        'resuming': string
        'planning_failed': string
        'finished': string
        'preparing': string
        'retrying': string
        'held': string
        'ready': string
        'publishing': string
        'waiting': string
        'unknown': string
      }
      'runState': {
        'preparing': string
        'ready': string
        'publishing': string
        'published': string
        'waiting': string
        'drafted': string
        'held': string
        'unknown': string
        'failed': string
        'missed': string
        'skipped': string
      }
      'paused': string
      'pausedUntil': '{{when}}'
      'pausedFor': '{{reason}}'
      'pausedItself': '{{reason}}'
      'older': string
      'newest': string
      'pages': string
      'asOf': '{{time}}'
      'asleep': {
        'post': '{{day}}{{time}}'
        'article': '{{day}}{{time}}'
      }
      'asleepDraft': '{{day}}{{time}}'
      'asleepOpen': {
        'post': string
        'article': string
      }
      'inactive': string
      'inactiveMissing_one': string
      'inactiveMissing_other': '{{count}}'
      'activating': string
      'planningFailed': string
      'planningInvalid': string
      'planningMend': string
      'restarted': '{{day}}{{time}}'
      'finished': string
      'preparing': {
        'post': {
          'topic': '{{time}}'
          'text': '{{time}}'
          'image': '{{time}}'
          'check': '{{time}}'
        }
        'article': {
          'topic': '{{time}}'
          'outline': '{{time}}'
          'text': '{{time}}'
          'summary': '{{time}}'
          'search': '{{time}}'
          'image': '{{time}}'
          'check': '{{time}}'
        }
        'section': '{{count}}{{number}}{{time}}'
      }
      'retrying': string
      'ready': {
        'post': '{{time}}'
        'article': '{{time}}'
      }
      'publishing_one': '{{count}}{{done}}'
      'publishing_other': '{{count}}{{done}}'
      'publishingFirst_one': '{{count}}{{done}}'
      'publishingFirst_other': '{{count}}{{done}}'
      'unknown': {
        'post': '{{channel}}'
        'article': '{{channel}}'
      }
      'waitsForApprovalTill': {
        'post': '{{time}}'
        'article': '{{time}}'
      }
      'waitsForApproval': {
        'post': '{{deadline}}{{time}}'
        'article': '{{deadline}}{{time}}'
      }
      'waitsToGoAtOnce': {
        'post': '{{deadline}}'
        'article': '{{deadline}}'
      }
      'waitsForVeto': {
        'post': '{{deadline}}{{when}}'
        'article': '{{deadline}}{{when}}'
      }
      'untilDeadline': string
      'untilPrepare': '{{when}}'
      'clockDays_one': '{{count}}'
      'clockDays_other': '{{count}}'
      'untilSlot': '{{when}}'
      'sinceSlot': '{{when}}'
      'untilTry': string
      'slotPassed': '{{time}}'
      'pending': string
      'topic': '{{title}}'
      'stepTopic': string
      'stepTopicActive': string
      'stepTopicDone': string
      'stepText': {
        'post': string
        'article': string
      }
      'stepTextActive': {
        'post': string
        'article': string
      }
      'stepTextDone': {
        'post': string
        'article': string
      }
      'stepSection': '{{count}}{{number}}'
      'stepOutline': string
      'stepOutlineActive': string
      'stepOutlineDone': string
      'stepSummary': string
      'stepSummaryActive': string
      'stepSummaryDone': string
      'stepSearch': string
      'stepSearchActive': string
      'stepSearchDone': string
      'sections_one': '{{count}}'
      'sections_other': '{{count}}'
      'readAlong': string
      'stepTextShortens': string
      'stepTextAgain': string
      'imageFallbacks': {
        'without': string
        'card': string
        'ask': string
      }
      'imageNeeded': '{{network}}'
      'stepImage': string
      'stepImageActive': string
      'stepImageDone': string
      'stepCheck': {
        'post': string
        'article': string
      }
      'stepCheckActive': {
        'post': string
        'article': string
      }
      'stepCheckDone': string
      'strategies': {
        'least_recent': string
        'in_order': string
        'weighted_random': string
      }
      'fromAll': string
      'attemptNumber': '{{attempt}}'
      'attempt': '{{attempt}}'
      'attemptOf': '{{attempt}}{{most}}'
      'nextTry': '{{wait}}'
      'retryingIn': '{{wait}}'
      'retryingNow': string
      'nothingTwice': string
      'tokens_one': '{{count, number}}'
      'tokens_other': '{{count, number}}'
      'costUnknown': string
      'characters_one': '{{count, number}}'
      'characters_other': '{{count, number}}'
      'images_one': '{{count}}'
      'images_other': '{{count}}'
      'demo': string
      'asksAboutDemo': string
      'demoWriter': string
      'stepApproval': string
      'waitMoved': '{{slot}}{{time}}'
      'waitSlot': '{{when}}'
      'waitSlotMore': string
      'publishAt': '{{name}}'
      'publishingAt': string
      'publish_one': string
      'publish_other': '{{count}}'
      'keepDraft': string
      'thenSleep': {
        'post': '{{time}}'
        'article': '{{time}}'
      }
      'thenSleepDay': {
        'post': '{{day}}{{time}}'
        'article': '{{day}}{{time}}'
      }
      'thenDone': string
      'thenPaused': string
      'card': '{{layout}}'
      'sleepingToday': '{{time}}'
      'sleeping': '{{day}}{{time}}'
      'prepare': {
        'post': string
        'article': string
      }
      'prepareImage': {
        'post': string
        'article': string
      }
      'lastRun': '{{day}}{{result}}{{time}}'
      'nothingYet': string
      'nothingYetMore': string
      'inactiveStep': string
      'finishedStep': string
      'planningFailedStep': '{{time}}'
      'activatingStep': string
      'result': {
        'preparing': string
        'ready': string
        'publishing': string
        'published_one': '{{count}}'
        'published_other': '{{count}}'
        'publishedPlain': string
        'waiting': string
        'drafted': string
        'held': string
        'unknown': string
        'failed': string
        'missed': string
        'skipped': string
      }
      'liveSince': '{{time}}'
      'openPost': {
        'post': string
        'article': string
      }
      'earlierUnclear': {
        'post_one': string
        'post_other': '{{count}}'
        'article_one': string
        'article_other': '{{count}}'
      }
      'earlierLook': string
      'waiting': '{{when}}'
      'waitsForYou': string
      'waitingToGoAtOnce': string
      'waitingForYou': '{{when}}'
      'sending': string
      'cancelled': string
      'cancelledLabel': string
      'failedNoReason': {
        'post': string
        'article': string
      }
      'askThere': {
        'post': string
        'article': string
      }
      'there': string
      'notThere': string
      'thereHint': string
      'notThereHint': string
      'decisionFailed': '{{reason}}'
      'nextTitle_one': string
      'nextTitle_other': '{{count}}'
      'nextEmpty': string
      'nextInactive': string
      'runs': string
      'allRuns_one': '{{count}}'
      'allRuns_other': '{{count}}'
      'runsLabel': string
      'runsEmpty': string
      'runsFailed': string
      'noTopic': string
      'postsLabel': string
      'postsEmpty': string
      'postsFailed': string
      'resuming': string
      'untilResume': '{{when}}'
      'pausedStep': string
      'pausedUntilStep': '{{when}}'
      'pausedItselfStep': string
      'pausedUnsubscribed': string
      'nextPaused': string
      'nextAfterPause': string
      'byHand': string
      'loadFailed': string
      'takeImage': string
      'takeImageActive': string
      'takeImageDone': string
      'ownImage': '{{name}}'
      'ownImageUnnamed': string
      'ownOrders': {
        'in_turn': string
        'random': string
      }
      'ownOf_one': '{{count}}'
      'ownOf_other': '{{count}}'
      'ownLeftOut_one': '{{count}}'
      'ownLeftOut_other': '{{count}}'
      'clockChange': '{{after}}{{before}}{{time}}'
      'leftOutDays': {
        'date': string
        'holiday': '{{name}}'
        'dayFull': string
      }
      'budget': {
        'left': string
        'leftOf': '{{amount}}{{left}}'
        'leftTokens': '{{amount}}{{left}}'
        'until': '{{day}}'
        'estimated': '{{amount}}'
        'reached': string
      }
      'leftOut': string
      'steering': {
        'label': string
        'pause': string
        'pauseMenu': '{{name}}'
        'hour': string
        'tomorrow': '{{time}}'
        'week': string
        'date': string
        'endless': string
        'dateTitle': string
        'day': string
        'time': '{{zone}}'
        'dateAction': string
        'past': string
        'pauseQuestion': '{{name}}'
        'pausePublish': string
        'pauseCancel': string
        'paused': '{{name}}'
        'pauseFailed': '{{name}}{{reason}}'
        'resume': string
        'resumed': '{{name}}'
        'resumeFailed': '{{name}}{{reason}}'
        'later': string
        'run': string
        'runQuestion': {
          'post': string
          'article': string
        }
        'runText': {
          'post': '{{channels}}{{name}}'
          'article': '{{channels}}{{name}}'
        }
        'runAction': string
        'running': '{{name}}'
        'runFailed': '{{reason}}'
        'skip': string
        'skipQuestion': {
          'post': '{{when}}'
          'article': '{{when}}'
        }
        'skipText': string
        'skipAction': {
          'post': string
          'article': string
        }
        'skipped': '{{when}}'
        'undo': string
        'undone': '{{when}}'
        'skipFailed': '{{reason}}'
        'undoFailed': '{{reason}}'
      }
    }
    'label': string
    'run': string
    'all': string
    'decideUntil': '{{when}}'
    'slot': string
    'state': string
    'topic': string
    'attempts': string
    'tokens': string
    'cost': string
    'lateness': string
    'post': {
      'post': string
      'article': string
    }
    'days': string
    'byItself': string
    'sort': string
    'sorts': {
      'newest': string
      'oldest': string
    }
    'count_one': '{{count, number}}'
    'count_other': '{{count, number}}'
    'firstPage': string
    'nextPage': string
    'noMatch': string
    'openAt': {
      'post': '{{name}}{{network}}'
      'article': '{{name}}{{network}}'
    }
    'readFailed': string
    'noTopic': string
    'later': string
    'earlier': string
    'thread': string
    'replay': string
    'stop': string
    'replayHint': string
    'goesOn': string
    'waited': '{{time}}'
    'afterSlot': '{{time}}'
    'confirmed': '{{time}}'
    'attemptsTaken_one': '{{count}}'
    'attemptsTaken_other': '{{count}}'
    'failedAttempt': '{{attempt}}'
    'failedStaging': string
    'started': string
    'took': string
    'template': string
    'version': '{{name}}{{number}}'
    'model': string
    'demo': string
    'tokensOf': '{{given}}{{made}}'
    'length': string
    'similarity': string
    'texts': {
      'written': string
      'shortened': string
      'rewritten': string
      'outline': string
      'section': '{{number}}'
      'summary': string
      'search': string
    }
    'secondAnswer': '{{text}}'
    'correctionOf': string
    'request': string
    'hash': string
    'prompt': string
    'spoiled': '{{cost}}{{model}}'
    'unheard': '{{cost}}{{model}}'
    'atMost': '{{cost}}'
    'toLive': string
    'ended': {
      'preparing': string
      'ready': string
      'publishing': string
      'published': string
      'waiting': string
      'drafted': string
      'held': string
      'unknown': string
      'failed': string
      'missed': string
      'skipped': string
    }
    'fitting': {
      'shortened': '{{count, number}}{{limit, number}}'
      'shortened_and_cut': '{{count, number}}{{limit, number}}'
      'cut': '{{count, number}}{{limit, number}}'
    }
    'promptCut': string
    'nearest_one': '{{percent}}'
    'nearest_other': '{{count, number}}{{percent}}'
    'repetition': {
      'rewritten': '{{first}}{{percent}}{{topic}}'
      'accepted': '{{first}}{{percent}}{{topic}}'
    }
    'correction': {
      'language': {
        'rewritten': string
        'accepted': string
        'failed': string
      }
      'no_words': {
        'rewritten': string
        'accepted': string
        'failed': string
      }
    }
    'similarPost': string
  }
  session: {
    'signInDescription': string
    'signUpDescription': string
    'signInTitle': string
    'signInLead': string
    'signIn': string
    'signingIn': string
    'noAccount': string
    'forgot': string
    'againIn': '{{time}}'
    'resendIn': '{{time}}'
    'codeTitle': string
    'codeLead': string
    'code': string
    'codeMissing': string
    'recoveryLead': string
    'recoveryCode': string
    'recoveryRequired': string
    'useRecovery': string
    'useApp': string
    'otherAccount': string
    'forgotTitle': string
    'forgotLead': string
    'sendLink': string
    'forgotSentTitle': string
    'forgotSent': '{{email}}'
    'noMail': string
    'outbox': string
    'openOutbox': string
    'otherEmail': string
    'backToSignIn': string
    'resetTitle': string
    'resetLead': string
    'newPassword': string
    'savePassword': string
    'resetDone': string
    'ended': string
    'endedWhileWriting': string
    'linkDeadTitle': string
    'sendNewLink': string
    'signUpTitle': string
    'signUpLead': string
    'signUp': string
    'haveAccount': string
    'email': string
    'password': string
    'passwordHint': string
    'rules': string
    'rule': {
      'length': string
      'varied': string
      'email': string
    }
    'ruleMet': string
    'ruleOpen': string
    'invitationCode': string
    'consent': string
    'emailRequired': string
    'emailInvalid': string
    'passwordRequired': string
    'codeRequired': string
    'consentRequired': string
    'claim': string
    'waitTitle': string
    'waitLead': '{{email}}'
    'sendAgain': string
    'sentAgain': string
    'changeEmail': string
    'sendFailed': string
    'verifyTitle': string
    'verifyLead': string
    'verify': string
    'verifying': string
    'verified': string
    'verifiedToDashboard': '{{email}}'
    'verifiedToSignIn': '{{email}}'
    'toDashboard': string
    'verificationFailed': string
    'verifyFailed': string
    'linkIncomplete': string
    'verifiedAlready': '{{email}}'
    'signInForLink': string
  }
  templates: {
    'newTitle': string
    'addTag': string
    'description': string
    'readFailed': string
    'tabs': string
    'tabEditor': string
    'tabVersions': string
    'body': string
    'bodyHint': string
    'bodyRequired': string
    'bodyLength': '{{length, number}}{{limit, number}}'
    'promptLength': '{{limit, number}}{{longest, number}}'
    'promptNear': '{{limit, number}}'
    'promptOver': '{{limit, number}}'
    'position': '{{column}}{{line}}'
    'insert': string
    'insertVariable': '{{name}}'
    'details': string
    'inputs': string
    'inputsCount_one': '{{count}}'
    'inputsCount_other': '{{count}}'
    'noInputs': string
    'showInput': '{{name}}'
    'reserved': string
    'own': string
    'meanings': {
      'topic': string
      'content': string
      'topicPath': string
      'language': string
      'date': string
      'channel': string
      'brandVoice': string
    }
    'readyForAssistant': string
    'checkFailed': string
    'errors_one': string
    'errors_other': '{{count}}'
    'goTo': string
    'createdOn': '{{date}}'
    'saved': '{{number}}'
    'saveVersion': '{{number}}'
    'saveFailed': string
    'staleTitle': '{{number}}'
    'seeChanges': string
    'loadNewer': '{{number}}'
    'goneTitle': string
    'goneText': string
    'saveAsNew': string
    'backToList': string
    'kept': '{{name}}'
    'tryout': {
      'title': string
      'goThere': string
      'saveFirst': string
      'run': string
      'key': string
      'earlier_zero': string
      'earlier_one': '{{count, number}}'
      'earlier_other': '{{count, number}}'
      'unsaved_one': string
      'unsaved_other': '{{count}}'
      'blocked': {
        'broken': string
        'empty': string
        'typeChanged': string
      }
      'startFailed': string
    }
    'settings': {
      'titleText': string
      'titleImage': string
      'model': string
      'serverModel': string
      'serverModelNamed': '{{model}}'
      'unpriced': '{{model}}'
      'notOffered': '{{model}}'
      'temperature': string
      'setTemperature': string
      'modelsOwn': string
      'temperatureOwn': string
      'noTemperature': '{{model}}'
      'effort': string
      'effortHint': string
      'noEffort': '{{model}}'
      'effortOfServer': string
      'efforts': {
        'none': string
        'minimal': string
        'low': string
        'medium': string
        'high': string
        'xhigh': string
      }
      'longest': string
      'longestHint': string
      'charactersUnit': string
      'channelsAllow': string
      'characters_one': '{{count, number}}'
      'characters_other': '{{count, number}}'
      'tone': string
      'toneHint': string
      'none': string
      'engine': string
      'engines': {
        'card': string
        'ai': string
      }
      'engineHints': {
        'card': string
        'ai': string
      }
      'size': string
      'quality': string
      'qualities': {
        'auto': string
        'low': string
        'medium': string
        'high': string
      }
      'style': string
      'styleHint': string
      'noTextModel': string
      'noTextModelText': string
      'noImageModel': string
      'noImageModelText': string
      'modelsFailed': string
    }
    'card': {
      'title': string
      'standIn': string
      'presetHint': string
      'choosePreset': string
      'byWords': string
      'ownColours': string
      'foot': string
      'footHint': string
      'withLogo': string
      'otherLogo': string
      'previewAlt': '{{text}}'
      'previewNote': string
      'previewWaits': string
      'previewFailed': string
    }
    'versions': {
      'count_one': '{{count, number}}'
      'count_other': '{{count, number}}'
      'shown_one': '{{count, number}}'
      'shown_other': '{{count, number}}'
      'listFailed': string
      'unsaved': string
      'toEditor': string
      'newest': string
      'first': string
      'changedLines_one': '{{count}}'
      'changedLines_other': '{{count}}'
      'onlySettings': string
      'nothing': string
      'restoredFrom': '{{number}}'
      'changes': string
      'whatChanged': '{{number}}'
      'restore': string
      'restoreNumber': '{{number}}'
      'restored': '{{number}}{{version}}'
      'restoreFailed': string
      'compare': string
      'onlyOne': string
      'from': string
      'to': string
      'unknown': string
      'diff': '{{newer}}{{older}}'
      'sameText': string
      'added': string
      'removed': string
      'unchangedLines_one': '{{count}}'
      'unchangedLines_other': '{{count}}'
      'written': '{{number}}{{when}}'
    }
    'title': string
    'lead': string
    'create': string
    'search': string
    'all': string
    'kinds': {
      'text': string
      'image': string
    }
    'visibilities': {
      'private': string
      'public': string
    }
    'version': '{{number}}'
    'name': string
    'type': string
    'language': string
    'anyLanguage': string
    'tags': string
    'filterByTag': '{{tag}}'
    'sort': string
    'sorts': {
      'changed': string
      'name': string
      'used': string
    }
    'changed': string
    'used': string
    'usageCount_zero': string
    'usageCount_one': string
    'usageCount_other': '{{count, number}}'
    'usedBy_zero': string
    'usedBy_one': '{{count}}'
    'usedBy_other': '{{count}}'
    'usedByCount_zero': string
    'usedByCount_one': '{{count}}'
    'usedByCount_other': '{{count}}'
    'copyOf': string
    'by': '{{author}}'
    'actions': string
    'more': '{{template}}'
    'moreActions': string
    'open': string
    'duplicate': string
    'copySuffix': string
    'duplicated': '{{name}}'
    'duplicateFailed': string
    'count_one': '{{count}}'
    'count_other': '{{count}}'
    'emptyTitle': string
    'emptyText': string
    'toMarketplace': string
    'noMatch': '{{search}}'
    'noMatchFilters': string
    'listFailed': string
    'delete': string
    'inUse': '{{assistants}}{{name}}'
    'deleteTitle': '{{name}}'
    'deleteText': string
    'deleted': '{{name}}'
    'deleteFailed': string
    'unnamed': string
    'publish': {
      'open': string
      'change': string
      'title': '{{name}}'
      'changeTitle': '{{name}}'
      'lead': string
      'unsaved': '{{number}}'
      'author': string
      'noName': string
      'logo': string
      'sample': string
      'sampleHint': string
      'noSamples': string
      'keepSample': string
      'withoutSample': string
      'action': string
      'changeAction': string
      'done': '{{name}}'
      'failed': string
      'takeBack': string
      'takenBack': '{{name}}'
      'takeBackFailed': string
    }
    'files': {
      'export': string
      'exportAll': string
      'exportFailed': string
      'exportedParts': '{{count}}'
      'import': string
      'importLead': string
      'choose': string
      'chooseOther': string
      'inFile': string
      'nameless': '{{number}}'
      'importCount_one': '{{count}}'
      'importCount_other': '{{count}}'
      'imported_one': '{{count}}'
      'imported_other': '{{count}}'
      'importFailed': string
    }
    'tried': {
      'result': string
      'views': {
        'output': string
        'json': string
        'inputs': string
      }
      'phases': {
        'queued': string
        'running': string
        'retrying': string
        'succeeded': string
        'failed': string
        'cancelled': string
      }
      'doneIn': '{{time}}'
      'seconds': '{{value}}'
      'noTime': string
      'queued': string
      'queuedLong': string
      'writing': string
      'drawing': string
      'runningAgain': '{{number}}'
      'attemptFailed': '{{number}}'
      'nextTry': '{{time}}'
      'failed': string
      'cancelledText': string
      'cancel': string
      'cancelFailed': string
      'again': string
      'againHint': string
      'useInputs': string
      'copyJson': string
      'ofLimit': '{{count, number}}{{limit, number}}'
      'demoWriter': string
      'demoHint': string
      'imageAlt': '{{size}}'
      'pixels': '{{size}}'
      'imageGone': string
      'unknown': string
      'model': string
      'cards': string
      'inputTokens': string
      'outputTokens': string
      'cost': string
      'duration': string
      'requestId': string
      'triedText': string
      'unsavedText': string
      'startedAt': string
      'showText': string
      'noInputs': string
      'emptyInput': string
      'gone': string
      'showLast': string
      'readFailed': string
      'history': string
      'search': string
      'historyFailed': string
      'noMatch': '{{search}}'
      'count_one': '{{count, number}}'
      'count_other': '{{count, number}}'
      'anImage': string
      'stillDrawn': string
      'stillWritten': string
      'noOutput': string
      'more': '{{when}}'
      'delete': string
      'deleteTitle': '{{when}}'
      'deleteText': string
      'deleted': string
      'deleteFailed': string
    }
  }
  topics: {
    'title': string
    'lead': string
    'search': string
    'name': string
    'topics': string
    'usedBy': string
    'changed': string
    'assistants_one': '{{count}}'
    'assistants_other': '{{count}}'
    'unused': string
    'count_one': '{{count}}'
    'count_other': '{{count}}'
    'topicCount_one': '{{count, number}}'
    'topicCount_other': '{{count, number}}'
    'enabledCount': '{{count, number}}'
    'usedByNone': string
    'usedByCount_one': '{{count}}'
    'usedByCount_other': '{{count}}'
    'emptyTitle': string
    'emptyText': string
    'noMatch': '{{search}}'
    'listFailed': string
    'readFailed': string
    'import': string
    'export': string
    'more': string
    'delete': string
    'deleteTitle': '{{name}}'
    'deleteText': string
    'deleted': '{{name}}'
    'deleteFailed': string
    'tree': '{{name}}'
    'expandAll': string
    'collapseAll': string
    'topic': string
    'titleOf': string
    'path': string
    'notes': string
    'weight': string
    'state': string
    'enabled': string
    'disabled': string
    'neverUsed': string
    'timesUsed_one': '{{count, number}}'
    'timesUsed_other': '{{count, number}}'
    'used': string
    'usedWithin': string
    'lastUsed': string
    'chooseFile': string
    'encoding': string
    'encodingHint': string
    'encodings': {
      'windows-1252': string
      'macintosh': string
      'windows-1250': string
      'windows-1251': string
    }
    'fileFailed': string
    'fileTooLong': '{{limit, number}}'
    'nameHint': string
    'nameNeeded': string
    'lines': string
    'convertTitle': string
    'convertText': string
    'convert': string
    'converted': string
    'linesHint': string
    'example': string
    'preview': string
    'previewEmpty': string
    'previewMore': '{{count, number}}'
    'previewBefore': string
    'previewFailed': string
    'badLines_one': '{{count}}'
    'badLines_other': '{{count}}'
    'goToLine': '{{line}}'
    'depthJump_one': '{{from}}{{line}}{{to}}'
    'depthJump_other': '{{count}}{{from}}{{line}}{{to}}'
    'importCount_one': '{{count, number}}'
    'importCount_other': '{{count, number}}'
    'importFailed': string
    'keys': string
    'description': string
    'edit': string
    'editTitle': string
    'saveTree': string
    'saveFailed': string
    'newTree': string
    'createTree': string
    'createFailed': string
    'inUseTitle': '{{name}}'
    'inUseText': string
    'download': string
    'copyLines': string
    'copied': string
    'copyClosed': string
    'exportFailed': string
    'add': string
    'newTitle': string
    'titleMissing': string
    'weightHint': string
    'weightWrong': '{{max}}{{min}}'
    'disabledAbove': string
    'disabledBy': '{{title}}'
    'below': '{{count, number}}'
    'actions': string
    'find': string
    'matches_one': '{{count, number}}{{total, number}}'
    'matches_other': '{{count, number}}{{total, number}}'
    'noTopicFound': '{{search}}'
    'root': string
    'moveTitle': '{{title}}'
    'moveUnder': string
    'moveHere': string
    'saving': string
    'notSavedYet': string
    'editRefused': '{{title}}'
    'notAllSaved': string
    'goneTitle': string
    'goneText': string
    'treeGone': string
    'treeGoneText': string
    'treeMissingText': string
    'toTrees': string
    'newerNotes': string
    'theirNotes': string
    'noNotes': string
    'takeNewer': string
    'keepMine': string
    'importUnder': '{{title}}'
    'importUnderHint': string
    'dropFile': string
    'keySpace': string
    'keyInsert': string
    'keyShiftInsert': string
    'keyDelete': string
    'keyHome': string
    'keyEnd': string
    'act': {
      'open': string
      'rename': string
      'sibling': string
      'child': string
      'enable': string
      'disable': string
      'up': string
      'down': string
      'in': string
      'out': string
      'moveTo': string
      'suggest': string
      'import': string
      'copy': string
      'remove': string
    }
    'help': {
      'move': string
      'open': string
      'openAll': string
      'type': string
      'rename': string
      'sibling': string
      'child': string
      'step': string
      'inOut': string
      'toggle': string
      'remove': string
      'undo': string
      'redo': string
      'offer': string
      'menu': string
    }
    'said': {
      'moved': '{{parent}}{{position}}{{siblings}}{{title}}'
      'staysThere': '{{title}}'
      'added': '{{title}}'
      'renamed': '{{title}}'
      'enabled': '{{title}}'
      'disabled': '{{title}}'
      'removed_zero': '{{title}}'
      'removed_one': '{{title}}'
      'removed_other': '{{count, number}}{{title}}'
      'restored': '{{title}}'
      'discarded': '{{title}}'
      'discardedAll_one': string
      'discardedAll_other': '{{count}}'
      'nothingToUndo': string
      'nothingToRedo': string
      'rootStays': string
      'stuck': {
        'up': '{{title}}'
        'down': '{{title}}'
        'in': '{{title}}'
        'out': '{{title}}'
      }
    }
    'suggest': {
      'title': string
      'wanted': string
      'language': string
      'failed': string
      'queued': string
      'running': string
      'retrying': '{{attempt}}'
      'cancelled': string
      'none': string
      'one': string
      'below_one': '{{count}}'
      'below_other': '{{count}}'
      'inTree_one': string
      'inTree_other': '{{count}}'
      'keepAll': string
      'discardAll': string
      'keep': string
      'keepThis': '{{title}}'
      'discard': string
      'discardThis': '{{title}}'
      'demo': string
      'tokens_one': '{{count, number}}'
      'tokens_other': '{{count, number}}'
      'costUnknown': string
    }
  }
  websites: {
    'page': {
      'notConnected': string
      'connecting': '{{site}}'
      'connectingText': string
      'connectedText': string
      'nothingHere': string
      'toWebsites': string
      'toWebsite': string
      'startAgain': string
      'pageText': '{{kind}}'
      'pageAction': string
      'pageNeedsTls': '{{kind}}'
      'byHand': string
    }
    'title': string
    'lead': string
    'connect': string
    'connectTitle': string
    'connectKind': '{{kind}}'
    'reconnectTitle': '{{name}}'
    'choose': string
    'chooseOther': string
    'kindHint': string
    'kindHints': {
      'wordpress': string
      'ghost': string
      'webhook': string
      'hosted_feed': string
    }
    'notConfigured': '{{settings}}'
    'noKinds': string
    'kindsFailed': string
    'connectAction': string
    'language': string
    'languageHint': string
    'name': string
    'connected': '{{name}}'
    'emptyTitle': string
    'emptyText': string
    'listFailed': string
    'readFailed': string
    'website': string
    'status': string
    'articles': string
    'lastUsed': string
    'never': string
    'actions': string
    'more': '{{name}}'
    'states': {
      'connected': string
      'needs_reconnecting': string
      'disconnected': string
    }
    'away': string
    'awayText': string
    'check': string
    'checkThis': string
    'checkTitle': '{{name}}'
    'change': string
    'settings': string
    'changeTitle': '{{name}}'
    'changed': string
    'changedElsewhere': string
    'reconnect': string
    'remove': string
    'removeTitle': '{{name}}'
    'removeText_zero': string
    'removeText_one': string
    'removeText_other': '{{count, number}}'
    'removeHere_zero': string
    'removeHere_one': string
    'removeHere_other': '{{count, number}}'
    'removeAction': string
    'inUseTitle': '{{name}}'
    'inUseText': '{{by}}'
    'toAssistant': string
    'removed': '{{name}}'
    'removeFailed': '{{name}}'
    'accessWaiting': string
    'accessRefused': string
    'announcing': {
      'title': string
      'by': string
      'nobody': string
      'then': string
      'draft': string
      'publish': string
      'hint': string
    }
    'as': '{{handle}}'
    'open': string
    'feed': {
      'title': string
      'hint': string
      'page': string
      'rss': string
      'json': string
      'copyPage': string
      'copyRss': string
      'copyJson': string
      'description': string
      'descriptionHint': string
      'author': string
      'authorHint': string
      'indexed': string
      'hidden': string
    }
    'writingPlan': {
      'title': string
      'none': string
      'create': string
      'loadFailed': string
      'open': string
      'openOf': '{{name}}'
      'topics': '{{name}}'
      'noTopics': string
      'crumb': string
      'noTree': '{{name}}'
      'noTreeText': string
      'chooseTree': string
      'makeTree': string
      'nobody': string
      'nobodyText': '{{name}}'
      'toWebsite': string
    }
  }
  writing: {
    'cardTitle': string
    'headline': string
    'cardText': string
    'look': string
    'lookChosen': string
    'cardPreview': string
    'addCard': string
    'cardFailed': string
    'open': string
    'openPassage': string
    'passageHint': string
    'openImage': string
    'title': string
    'imageTitle': string
    'passageTitle': string
    'template': string
    'templateOptional': string
    'noTemplates': string
    'noImageTemplates': string
    'makeTemplate': string
    'tree': string
    'topic': string
    'topicFromTree': string
    'ownTopic': string
    'optional': '{{name}}'
    'start': string
    'startImage': string
    'startPassage': string
    'stop': string
    'remark': string
    'remarkHint': string
    'selected': string
    'waiting': string
    'atWork': string
    'atWorkImage': string
    'done': string
    'donePassage': string
    'doneImage': string
    'stopped': string
    'stoppedEmpty': string
    'undone': string
    'failed': string
    'failedImage': string
    'startFailed': string
    'gone': string
    'demoText': string
    'demo': string
    'cost': string
    'demoCost': string
    'openCard': string
    'cardFree': string
    'noText': string
  }
}
